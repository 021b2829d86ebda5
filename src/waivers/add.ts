/** Pure: the text of a waivers file with one waiver more. Comments, order and spelling of the rest stay as they are. */
import { isSeq, parseDocument, stringify } from 'yaml';
import type { Waiver } from './waiver.ts';

const head = `# Temporarily accepted failures: why, by whom, and until when. \`touchstone check\` reads this file next to the profile; what has
# expired, or is not needed any more, makes it red.
`;

/** `text` has been parsed as waivers before: this finds what that has found to be there. */
export function withWaiver(text: string | undefined, waiver: Waiver): string {
  const document = parseDocument(text ?? '');
  // A long reason stays on its line: folded, its other lines would look like waivers of their own.
  const written = { lineWidth: 0 };
  if (document.contents === null) {
    const before = text === undefined || text.trim() === '' ? head : `${text.trimEnd()}\n`;
    return before + stringify({ waivers: [waiver] }, written);
  }
  const list = document.get('waivers');
  if (isSeq(list)) {
    list.flow = false;
    list.add(document.createNode(waiver));
  } else document.set('waivers', [waiver]);
  return document.toString(written);
}
