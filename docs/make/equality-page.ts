/** The table of equalities, made from the rules. */
import { comparisons } from '../../suites/language/equality.ts';
import { comparing } from './comparing.ts';
import { made, plain, update } from './pages.ts';

/** Asked of sources, not of answers. */
const beyondRules: Readonly<Record<string, string>> = { addressOfSource: 'the source server' };

export function equalityPage(): string {
  const used = comparing(Object.keys(comparisons));
  const rows = Object.entries(comparisons).map(([name, { what, by, stricter }]) => {
    const rules = [...used].flatMap(([rule, names]) => (names.includes(name) ? [`\`${rule}\``] : []));
    const where = rules.length > 24 ? `${rules.length} rules` : rules.join(', ') || (beyondRules[name] ?? '');
    return `| ${plain(what)} | ${plain(by)} | ${plain(stricter ?? '')} | ${where} |`;
  });
  return [
    made(update),
    '',
    '# What counts as the same',
    '',
    'For everybody who wonders why a rule accepted a value that looks different. Every comparison of what was sent with what the service returned uses',
    'one of these equalities. Where the specification is silent, the loosest reading of its words counts; a stricter one is at most a warning.',
    '',
    'Numbers are compared as decimals, whatever their size: 1, 1.0 and 1e0 are equal, 9007199254740993 and 9007199254740992 are not.',
    'Requests carry the numbers of the profile as they are written there. An identifier goes back into a path with the digits that the service sent.',
    '',
    '| what | the same when | a stricter reading | compared by |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '## Fields of HTTP',
    '',
    '| field | several of it, commas, blanks, empty places |',
    '| --- | --- |',
    '| `X-API-Key`, `X-Admin-Token` (sent) | several fields and one with a comma are the same; where one of the values is valid, either outcome is lawful and recorded, where none is, the answer is 401 |',
    '| `Content-Encoding` | one list over all fields, empty places left out, in any case; undone from the last to the first: gzip, deflate (with or without its wrapping), br, zstd. A registered coding that is not undone here leaves rules inconclusive |',
    '| `Content-Type` | one field; parameters, their case and empty ones mean nothing |',
    '| `Retry-After` | one field of ASCII digits, zeros before them allowed; spaces and tabs around it are no part of it, a no-break space is |',
    '| all others | recorded as received, in their order and case, without the spaces and tabs around their values |',
    '',
  ].join('\n');
}
