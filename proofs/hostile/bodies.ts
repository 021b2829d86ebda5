/** JSON and what looks like it: deep, large, double, in other character sets. */
import type { ServiceResponse } from '../../fixtures/service/index.ts';
import { type Behaviour, byStatus, everything, goodRuns, only, row, runs, says, verifies } from './behaviour.ts';

const body = row('json');
type Does = Behaviour['does'];

const deep = 1_000_000;
const member = (text: string, more: string): string => text.replace(/\}\s*$/, `,${more}}`);
const utf16 = (text: string, bom: number[]): Uint8Array =>
  Buffer.concat([Buffer.from(bom), Buffer.from(text, 'utf16le')]);
const notJson = /not UTF-8|does not parse|JSON|Unexpected|cut off|larger than/;

let huge: Buffer | undefined;
const hundred = (): Buffer => {
  huge ??= Buffer.concat([
    Buffer.from('{"status":"DONE","valid":true,"tier":"pro","items":["'),
    Buffer.alloc(100_000_000, 'x'),
    Buffer.from('"]}'),
  ]);
  return huge;
};
let seven: Buffer | undefined;
/** Just under what is read: nothing may be kept of seven hundred of these. */
const sevenMillion = (): Buffer => {
  seven ??= Buffer.from(`{"status":"DONE","valid":true,"tier":"pro","items":[${'[],'.repeat(2_500_000)}[]]}`);
  return seven;
};
const flooded = /larger than|cut off|kept|VIOLATION|DOES NOT CONFORM/i;

export const jsons: readonly Behaviour[] = [
  body(
    'arrays 1,000,000 deep, to everything',
    everything,
    'nothing',
    /nested too much/,
    says(() => '['.repeat(deep) + ']'.repeat(deep)),
    { heavy: true },
  ),
  body(
    'objects 200,000 deep in a run',
    goodRuns,
    'hurt',
    /./,
    says((text) => member(text, `"more":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)),
    { heavy: true },
  ),
  body(
    'arrays 1,000,000 deep as items',
    goodRuns,
    'hurt',
    /./,
    says(() => `{"status":"DONE","items":${'['.repeat(deep)}${']'.repeat(deep)}}`),
    { heavy: true },
  ),
  body('100 MB', everything, 'nothing', /larger than|cut off/, says(hundred), { heavy: true }),
  body('7 MB of small arrays, to everything', everything, 'hurt', flooded, says(sevenMillion), {
    heavy: true,
  }),
  body(
    '__proto__ in every object',
    goodRuns,
    'tolerated',
    /CONFORMS/,
    says((text) =>
      member(text, '"__proto__":{"polluted":true,"valid":true},"constructor":{"prototype":{"polluted":true}}'),
    ),
  ),
  body(
    'status and items in __proto__ alone',
    goodRuns,
    'hurt',
    /items/,
    says(() => '{"__proto__":{"items":[],"status":"DONE"}}'),
  ),
  body(
    'members twice, that differ',
    goodRuns,
    'hurt',
    /./,
    says((text) => member(text, '"items":null,"status":7')),
  ),
  body(
    'lone surrogates',
    goodRuns,
    'tolerated',
    /CONFORMS/,
    says((text) => member(text, String.raw`"more":"\ud800 \udfff\ud800"`)),
  ),
  body(
    'NaN and Infinity',
    goodRuns,
    'hurt',
    notJson,
    says((text) => member(text, '"more":[NaN,Infinity]')),
  ),
  body(
    'a number of 10,000 digits',
    goodRuns,
    'tolerated',
    /CONFORMS/,
    says((text) => member(text, `"more":${'9'.repeat(10_000)}`)),
  ),
  body(
    'an exponent of 10,000 digits',
    goodRuns,
    'tolerated',
    /CONFORMS/,
    says((text) => member(text, `"more":1e${'9'.repeat(10_000)}`)),
  ),
  body(
    'with a byte order mark',
    goodRuns,
    'tolerated',
    /./,
    says((text) => `\ufeff${text}`),
  ),
  body(
    'with two byte order marks',
    goodRuns,
    'hurt',
    notJson,
    says((text) => `\ufeff\ufeff${text}`),
  ),
  body(
    'in UTF-16, little end first',
    everything,
    'hurt',
    notJson,
    says((text) => utf16(text, [0xff, 0xfe])),
    byStatus,
  ),
  body(
    'in UTF-16 without a mark',
    goodRuns,
    'hurt',
    notJson,
    says((text) => utf16(text, [])),
  ),
  body(
    'invalid UTF-8',
    goodRuns,
    'hurt',
    /not UTF-8/,
    says((text) =>
      Buffer.concat([
        Buffer.from(member(text, '"more":"')).subarray(0, -1),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from('"}'),
      ]),
    ),
  ),
  body(
    'two documents',
    goodRuns,
    'hurt',
    notJson,
    says((text) => text + text),
  ),
  body(
    'JSONP',
    everything,
    'hurt',
    notJson,
    says((text) => `alert(${text})`),
    byStatus,
  ),
  body(
    'only blanks',
    everything,
    'hurt',
    /empty/,
    says(() => ' '.repeat(1000)),
    byStatus,
  ),
  body(
    'nothing',
    everything,
    'hurt',
    /empty/,
    says(() => ''),
    byStatus,
  ),
  body(
    'null',
    everything,
    'hurt',
    /null/,
    says(() => 'null'),
    byStatus,
  ),
  body(
    'with comments and a last comma',
    goodRuns,
    'hurt',
    notJson,
    says((text) => `/* a */${text.replace(/\}$/, ',}')}`),
  ),
  body(
    'items is an object that says how long it is',
    goodRuns,
    'hurt',
    /items/,
    says(() => '{"items":{"length":3,"0":1},"status":"DONE"}'),
    {
      but: { rules: /^run\.clean-run/, because: 'the status is as it should be' },
    },
  ),
  body(
    'items has 1,000,000 members',
    goodRuns,
    'hurt',
    /./,
    says(() => `{"items":[${'0,'.repeat(999_999)}0],"status":"DONE"}`),
    { heavy: true },
  ),
  body(
    'valid is the text "true"',
    verifies,
    'hurt',
    /valid/,
    says(() => '{"valid":"true","tier":"pro"}'),
    { but: { rules: /^(?!verify\.valid-key)/, because: 'only what valid says is wrong' } },
  ),
  body('answers belong to other requests', goodRuns, 'hurt', /./, othersAnswer(), {
    but: { rules: /^(?!run\.answers-belong)/, because: 'each answer is a good one for somebody' },
  }),
  body(
    'answers depend on how often it was asked',
    runs,
    'hurt',
    /./,
    (m) => (m.turn % 3 === 0 ? m.answer({ ...m.lawful, status: 503 }) : m.lawfully()),
    only(
      'a crash is reported by the rules that it breaks, and a run that was to be PARTIAL first is left out',
      'run.answers-belong-to-requests',
      'run.clean-run-is-not-partial',
    ),
  ),
];

/** Each run gets what the run before it should have got. The trap's text is one for each service. */
function othersAnswer(): Does {
  const before = new Map<string, ServiceResponse>();
  return (m) => {
    const last = before.get(m.trap);
    before.set(m.trap, m.lawful);
    m.answer(last ?? m.lawful);
  };
}
