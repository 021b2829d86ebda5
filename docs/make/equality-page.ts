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
    'For everybody who wonders why a rule accepted a value that looks different. After this page you know when two values count as the same. Every',
    'comparison of a sent value with a returned one uses one of these equalities. Where the specification is silent, the loosest reading of its words counts; a stricter one is at most a warning.',
    '',
    'Numbers are compared as decimals of any size: 1, 1.0 and 1e0 are equal, 9007199254740993 and 9007199254740992 are not.',
    'Requests carry the numbers of the profile digit for digit. A path carries an identifier with the digits that the service sent.',
    '',
    '| what | the same when | a stricter reading | compared by |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '## Fields of HTTP',
    '',
    '| field | repeated fields, commas, spaces, empty values |',
    '| --- | --- |',
    '| `X-API-Key`, `X-Admin-Token` (sent) | several fields and one with commas are the same. If one of the values is valid, either outcome is lawful and recorded; if none is, the answer must be 401 |',
    '| `Content-Encoding` | all fields are one list, in any case, without empty values. Touchstone decodes gzip, deflate (with or without its wrapping), br and zstd, from the last to the first. Another registered coding leaves rules inconclusive |',
    '| `Content-Type` | one field; its parameters do not matter |',
    '| `Retry-After` | one field of ASCII digits, with leading zeros if it likes. Spaces and tabs around it do not count; a no-break space does |',
    '| all others | recorded as received, in their order and case, without spaces and tabs around their values |',
    '',
  ].join('\n');
}
