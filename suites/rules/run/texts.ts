/** Texts that are allowed and hold more than ASCII, on their way there and back. */
import {
  type Actor,
  type Case,
  type Exchange,
  expectStatus,
  type Json,
  rule,
  statusFits,
  violation,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { expandedIn, garbledIn, textsIn } from '../../language/texts.ts';
import { cleanRun } from '../../language/twins.ts';

interface Text extends Case {
  readonly actor: Actor;
  readonly input: Json;
  readonly text: string;
  readonly rewrite?: (json: string) => string;
  /** Its body in chunks of so many bytes, which end inside of characters. */
  readonly chunkBytes?: number;
}

/** As serialisers write that send nothing but ASCII. */
const inEscapes = (json: string): string =>
  json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const inCapitals = (json: string): string =>
  inEscapes(json).replaceAll(/(?<=\\u)[\da-f]{4}/g, (code) => code.toUpperCase());

const textsFor = (actor: Actor): readonly Text[] => {
  const all = (actor.texts ?? []).map(
    ({ name, text, input }): Text => ({ name: `${name} for ${actor.name}`, actor, text, input }),
  );
  const [first] = all;
  if (first === undefined) return all;
  const escaped = { ...first, name: `${first.name}, in escapes`, rewrite: inEscapes };
  const capitals = { ...first, name: `${first.name}, in escapes of capitals`, rewrite: inCapitals };
  return [...all, escaped, capitals, { ...first, name: `${first.name}, in small chunks`, chunkBytes: 1 }];
};

/**
 * Who counts characters where HTTP counts bytes cuts the answer that has more of these, or never ends it. One connection may end by
 * chance, as many as these do not.
 */
const tornInARow = 7;

const isTorn = ({ response, failure }: Exchange): boolean =>
  response !== undefined && failure !== undefined && tearing.has(failure.kind);

const tearing: ReadonlySet<string> = new Set(['reset-in-body', 'closed-in-body', 'too-slow']);

const isTornEachTime = (again: readonly Exchange[]): boolean => again.length >= tornInARow - 1 && again.every(isTorn);

export const textIsText = rule({
  id: 'run.text-is-text',
  inOneGo: true,
  clause: clauses.bodiesAreJson,
  needs: ['key', 'echo'],
  without: everything,
  cases: ({ actors }) => {
    const cases = actors.echo.flatMap(textsFor);
    return cases.length === 0 ? 'no echo actor accepts a text with more than a nonce in it' : cases;
  },
  answering: true,
  about: ({ case: { text, chunkBytes } }) => ({ text, inChunks: chunkBytes !== undefined }),
  twin: cleanRun,
  async ask({ run, line, case: { input, rewrite, chunkBytes } }) {
    const chunked = () => (chunkBytes === undefined ? {} : { chunkBytes, on: line() });
    const asked = () => run({ input, ...(rewrite && { rewrite }), ...chunked() });
    const exchange = await asked();
    // All at once: who waits for bytes that never follow waits once.
    const again = isTorn(exchange) ? await Promise.all(Array.from({ length: tornInARow - 1 }, asked)) : [];
    return { exchange, again };
  },
  given: ({ exchange, again = [] }, { text = '', inChunks = false }) => [
    inapplicableIf(
      !!exchange && (statusFits(exchange, '4xx') || (inChunks && statusFits(exchange, 501))),
      'the service does not accept this text, or bodies in chunks, which is allowed',
    ),
    inapplicableIf(
      !!exchange && text.includes('\0') && statusFits(exchange, '5xx'),
      'the service fails at null characters: other rules report that',
    ),
    inconclusiveIf(
      !!exchange && isTorn(exchange) && !isTornEachTime(again),
      `no complete answer (exchange ${exchange?.id}, ${exchange?.failure?.kind}): connections may fail by chance`,
    ),
  ],
  judge: ({ exchange }, { text }) => {
    if (isTorn(exchange)) {
      const came = `${exchange.failure?.says}, ${tornInARow} times in a row`;
      return [violation(exchange, 'a whole answer, as a run without this text gets', came)];
    }
    const wrong = expectStatus(exchange, '2xx');
    if (wrong.length > 0) return wrong;
    const shown = textsIn(exchange);
    const garbled = garbledIn(shown, text);
    if (garbled !== undefined) return [violation(exchange, 'the text as it was sent', garbled)];
    const expanded = expandedIn(shown, text);
    return expanded === undefined ? [] : [warning(exchange, 'the text as it was sent', expanded)];
  },
  fix: 'Read and write bodies as UTF-8 (RFC 8259, section 8.1), whole before they are decoded.',
});
