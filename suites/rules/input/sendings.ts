/** Inputs that are wrong in one field, sent in ways in which the same JSON may be sent. */
import { gzipSync } from 'node:zlib';
import {
  type Actor,
  type Case,
  expectStatus,
  isObject,
  type Json,
  type RunOptions,
  readAsWritten,
  rule,
  type Subject,
  statusFits,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, eachSaying } from '../../language/asking.ts';
import { asNew, dresses, type RunDress } from '../../language/dresses.ts';
import { inapplicableIf, inconclusiveIf, succeeds } from '../../language/gates.ts';
import { cleanRun } from '../../language/twins.ts';
import { type FieldCase, fieldCases, namesSource, refusals } from '../../language/wrong-inputs.ts';

interface Way extends Case {
  readonly options: RunDress['how'] & Pick<RunOptions, 'respell'>;
}

/** More than servers read at once; who takes bodies of less only refuses the valid one too. */
const padding = 40_000;

/** What may switch checks off for whoever tries a service out. */
const unchecked: readonly (readonly [string, string])[] = [
  ...eachSaying('true', 'X-Skip-Validation', 'X-No-Validation', 'X-Dry-Run', 'X-Debug', 'X-Test', 'X-Internal'),
  ['X-Validate', 'false'],
  ['X-Validation', 'off'],
  ['Prefer', 'handling=lenient'],
];
const uncheckedQuery = 'validate=false&skip_validation=true&strict=false&dry_run=true&debug=true&force=true';

const ways: readonly Way[] = [
  { name: 'with a charset', options: { contentType: 'application/json; charset=utf-8' } },
  // More than a page of memory, and no more than almost everybody takes.
  { name: 'in a body of 6 kB', options: { padding: 6_000 } },
  { name: 'in a body of 40 kB', options: { padding } },
  { name: 'in a body of 100 kB', options: { padding: 100_000 } },
  { name: 'in chunks of 16 bytes', options: { chunkBytes: 16 } },
  { name: 'without a content type', options: { contentType: null } },
  { name: 'as plain text', options: { contentType: 'text/plain' } },
  { name: 'as old JSON', options: { contentType: 'text/json' } },
  { name: 'as a line of JSON', options: { contentType: 'application/x-ndjson' } },
  { name: 'as a form', options: { contentType: 'application/x-www-form-urlencoded' } },
  { name: 'with a charset in capitals', options: { contentType: 'application/json;charset=UTF-8' } },
  { name: 'behind a byte order mark', options: { rewrite: (json) => `\ufeff${json}` } },
  { name: 'behind an empty line', options: { rewrite: (json) => `\r\n${json}` } },
  { name: 'where headers ask for no validation', options: { headers: unchecked } },
  { name: 'where a query asks for no validation', options: { respell: (path) => `${path}?${uncheckedQuery}` } },
  { name: 'as a merge patch', options: { contentType: 'application/merge-patch+json' } },
  { name: 'as JSON of another name', options: { contentType: 'application/vnd.api+json' } },
  { name: 'in no encoding, which it says', options: { headers: [['Content-Encoding', 'identity']] } },
  { name: 'with a query', options: { query: ['lang', 'en'] } },
  ...dresses.map(({ name, how }): Way => ({ name, options: how })),
  { name: 'compressed', options: { rewrite: (json) => gzipSync(json), headers: [['Content-Encoding', 'gzip']] } },
];

/** What a member of this name holds belongs to nobody's input, unless the language takes it for what all objects inherit. */
const inherited: readonly (Case & { readonly of: (members: string) => string })[] = [
  { name: 'with the field inside a member __proto__', of: (members) => `"__proto__":${members}` },
  {
    name: 'with the field inside the prototype of a member constructor',
    of: (members) => `"constructor":{"prototype":${members}}`,
  },
];

/** As plain as what other clients send: whose run it is does not matter here. */
const plainly = (json: string): string => json.replaceAll('{{nonce}}', 'harbour');

/** What is longer does not fit into every address. */
const longestQuery = 500;

/** The field that is missing in the body, where an object of the language, or a query that is read like a body, would have it. */
function elsewhere({ actor, mutant }: FieldCase, isLast: boolean): readonly Way[] {
  const value = isObject(actor.input) ? actor.input[mutant.field] : undefined;
  if (mutant.fault !== 'missing' || value === undefined || namesSource(value)) return [];
  const members = plainly(JSON.stringify({ [mutant.field]: value }));
  const text = plainly(typeof value === 'string' ? value : JSON.stringify(value));
  const isShort = encodeURIComponent(text).length <= longestQuery;
  const query: Way['options']['query'] = [encodeURIComponent(mutant.field), text];
  return [
    ...(isShort ? [{ name: 'with the field in the query', options: { query } }] : []),
    // What pollutes all objects does so whichever actor is asked.
    ...(isLast ? inherited : inherited.slice(0, 1)).map(({ name, of }) => ({
      name,
      options: { rewrite: (json: string) => `{${of(members)}${json === '{}' ? '' : ','}${json.slice(1)}` },
    })),
  ];
}

interface Sending extends FieldCase {
  readonly options: Way['options'];
}

export const howeverSent = rule({
  id: 'input.validated-however-sent',
  clause: clauses.inputIsValidated,
  needs: ['key'],
  without: [...allButActor, 'actor'],
  cases(subject) {
    const wrong = fieldCases(subject, ['missing', 'wrong-type']);
    if (typeof wrong === 'string') return wrong;
    const first = new Map(wrong.toReversed().map((each) => [each.actor.name, each]));
    return [...first.values()].flatMap((each, at, all) =>
      [...ways, ...elsewhere(each, at === all.length - 1)].map(
        ({ name, options }): Sending => ({ ...each, name: `${each.name}, ${name}`, options }),
      ),
    );
  },
  async *ask({ run, line, random, case: { mutant, options } }) {
    // As others call: not each time over a connection of its own.
    const on = line();
    // Before anything is sent that could change what objects inherit from then on.
    yield { plain: await run({ input: mutant.input, on }) };
    yield { valid: await run({ ...asNew(options, random), on }) };
    yield { exchange: await run({ ...asNew(options, random), input: mutant.input }) };
  },
  given: ({ valid, plain }) => [
    // A type with parameters, a body of that size or a member that nobody listed may be refused as such.
    inapplicableIf(valid !== undefined && !succeeded(valid), 'a valid input sent this way is not accepted either'),
    inconclusiveIf(
      plain !== undefined && !statusFits(plain, refusals),
      'the input sent plainly is not refused either; another rule reports that',
    ),
  ],
  judge: ({ exchange }) => expectStatus(exchange, refusals),
  fix: 'Validate the parsed input, whatever query and content type it comes with and however long the body is.',
});

interface Chunks extends Case {
  readonly options: Pick<RunOptions, 'chunkBytes' | 'padding'>;
}

const chunks: readonly Chunks[] = [
  { name: 'one byte at a time', options: { chunkBytes: 1 } },
  { name: 'in chunks of 7 bytes', options: { chunkBytes: 7 } },
  { name: 'in one chunk', options: { chunkBytes: 1_000_000 } },
  { name: '40 kB in chunks of 1,000 bytes', options: { chunkBytes: 1000, padding } },
];

/** Who wants to know the length first may say so, and bodies of that size may be too large. */
const lawfulRefusals = [411, 413, 501];

export const bodiesInChunks = rule({
  id: 'input.bodies-in-chunks',
  clause: clauses.bodiesMayBeChunked,
  needs: ['key', 'clean'],
  actor: 'clean',
  without: [...allButActor],
  cases: () => chunks,
  async *ask({ run, line, case: { options } }) {
    const on = line();
    const { chunkBytes: _, ...otherwise } = options;
    yield { plain: await run({ ...otherwise, on }) };
    yield { exchange: await run({ ...options, on }) };
    // What is left of a body that was not read to its end is taken for the next request.
    yield { next: await run({ on }) };
  },
  given: ({ plain, exchange }) => [
    inapplicableIf(plain !== undefined && statusFits(plain, 413), 'a body of that size is too large for the service'),
    succeeds(plain, 'the same body with its length'),
    inapplicableIf(
      exchange !== undefined && statusFits(exchange, lawfulRefusals),
      'the service requires the length of a body, which is allowed',
    ),
  ],
  judge: ({ exchange, next }) => [...expectStatus(exchange, '2xx'), ...expectStatus(next, '2xx')],
  fix: 'Read a body in chunks to its last one (RFC 9112, section 7.1), or refuse it with 411.',
});

/** The same JSON in other letters. */
const spellings: readonly Spelling[] = [
  ...[
    { name: 'a line feed before it', before: '\n' },
    { name: 'blanks before it', before: '  ' },
    { name: 'tabs and line ends before it', before: '\t\r\n' },
  ].map(({ name, before }) => ({ name, of: (json: string) => `${before}${json}` })),
  // As files end, and what is typed into a terminal.
  { name: 'a line feed behind it', of: (json) => `${json}\n` },
  // What stands in quotes has its meaning only after it was read (RFC 8259, section 8.3).
  {
    name: 'an escape in the name of a member',
    of: (json) => json.replace(/^\{"([A-Za-z_])/, (_, letter: string) => `{"\\u00${letter.charCodeAt(0).toString(16)}`),
  },
  // Letters whose codes have letters.
  {
    name: 'an escape in capitals',
    of: (json) =>
      json.replace(
        /("[^"\\:,[\]{}]*?)([j-oJ-O])/,
        (_, before: string, letter: string) => `${before}\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
  },
];

const inOtherOrder: Spelling = {
  name: 'its members from the last to the first',
  of: (json) => JSON.stringify(reversed(readAsWritten(json))),
};

/** An object has no order (RFC 8259, section 4). */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, each]) => [name, reversed(each)]),
  );
}

interface Spelling extends Case {
  readonly of: (json: string) => string;
  readonly actor?: Actor;
}

/** Most fields have those that echo. */
const spellingsOf = ({ actors }: Subject): readonly Spelling[] => [
  ...spellings,
  inOtherOrder,
  ...actors.echo.map((actor) => ({ ...inOtherOrder, name: `${actor.name}: ${inOtherOrder.name}`, actor })),
];

export const spaceBefore = rule({
  id: 'input.space-before',
  clause: clauses.bodiesAreJson,
  needs: ['key', 'clean'],
  actor: 'clean',
  without: [...allButActor],
  cases: spellingsOf,
  twin: cleanRun,
  ask: ({ run, case: { of } }) => run({ rewrite: of }),
  judge: (exchange) => expectStatus(exchange, '2xx'),
  fix: 'Let the JSON parser read the body: white space around it and escapes in names mean nothing (RFC 8259).',
});
