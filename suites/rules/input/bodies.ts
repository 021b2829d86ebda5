/** Bodies that are no JSON object, that only just are one, or that say they are something else. */
import {
  type Actor,
  type Case,
  type Exchange,
  expectNoServerError,
  expectStatus,
  Inapplicable,
  isObject,
  type Json,
  otherActors,
  rule,
  type Subject,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { invented } from '../../language/asking.ts';
import { cleanRun } from '../../language/twins.ts';
import { fieldCases } from '../../language/wrong-inputs.ts';
import { extremes, oddTexts, wholeNumbers } from './extremes.ts';

interface Malformed extends Case {
  readonly of: (json: string) => string;
  /** Sent in chunks of so many bytes. */
  readonly chunkBytes?: number;
}

/** In a member of its own where the input has no value of that kind. */
const changed = (json: string, pattern: RegExp, by: string, member: string): string =>
  pattern.test(json) ? json.replace(pattern, by) : `{${member}${json === '{}' ? '' : ','}${json.slice(1)}`;

/** A line for each member; words, and the template that becomes one, need no quotes there. */
function asYaml(json: string): string {
  const input = JSON.parse(json) as Json;
  const lines = Object.entries(isObject(input) ? input : {}).map(([name, value]) => {
    const isPlain = typeof value === 'string' && /^([A-Za-z][\w -]*\w|\{\{nonce\}\})$/.test(value);
    return `${name}: ${isPlain ? value : JSON.stringify(value)}`;
  });
  // Nothing at all is another rule's.
  return lines.length === 0 ? json : lines.join('\n');
}

const cutOff = (json: string): string => json.slice(0, -1);

const malformed: readonly Malformed[] = [
  { name: 'a body cut off', of: cutOff },
  { name: 'a body cut off, in chunks of 16 bytes', of: cutOff, chunkBytes: 16 },
  // Who mends what was cut off closes what is open.
  { name: 'a body cut off inside of its last text', of: (json) => json.replace(/"\}+$/, '') },
  { name: 'single quotes', of: (json) => json.replaceAll('"', "'") },
  { name: 'an unquoted key', of: (json) => json.replace(/"([A-Za-z_]\w*)":/, '$1:') },
  { name: 'a trailing comma', of: (json) => json.replace(/\}$/, ',}') },
  { name: 'text after the end', of: (json) => `${json} and more` },
  { name: 'two objects', of: (json) => `${json}${json}` },
  { name: 'text before the beginning', of: (json) => `xx${json}` },
  { name: 'a blank of Unicode before the beginning', of: (json) => `\u00a0${json}` },
  { name: 'an unknown escape', of: (json) => changed(json, /":"(?!")/, '":"\\q', '"unlisted":"\\q"') },
  { name: 'a zero before a number', of: (json) => changed(json, /":(?=[1-9])/, '":0', '"unlisted":01') },
  { name: 'a plus sign before a number', of: (json) => changed(json, /":(?=[1-9])/, '":+', '"unlisted":+1') },
  { name: 'a number that is none', of: (json) => changed(json, /":-?[0-9.]+(?=[,}])/, '":NaN', '"unlisted":NaN') },
  { name: 'a hexadecimal number', of: (json) => changed(json, /":-?[0-9.]+(?=[,}])/, '":0x1', '"unlisted":0x1') },
  {
    name: 'a number that ends with its point',
    of: (json) => changed(json, /(?<=":-?\d+)(?=[,}])/, '.', '"unlisted":1.'),
  },
  {
    name: 'a number that begins with its point',
    of: (json) => changed(json, /":-?[0-9.]+(?=[,}])/, '":.5', '"unlisted":.5'),
  },
  { name: 'True, as Python writes it', of: (json) => changed(json, /":true(?=[,}])/, '":True', '"unlisted":True') },
  { name: 'two objects on two lines', of: (json) => `${json}\n${json}` },
  { name: 'a NUL behind the end', of: (json) => `${json}\0` },
  { name: 'a comment', of: (json) => json.replace(/\}$/, '/* all */}') },
  { name: 'a line break in a text', of: (json) => changed(json, /":"(?!")/, '":"\n', '"unlisted":"\n"') },
  // Inside of a text, all below the blank is escaped (RFC 8259, section 7).
  { name: 'a tab in a text', of: (json) => changed(json, /":"(?!")/, '":"\t', '"unlisted":"\t"') },
  {
    name: 'a control character in a text',
    of: (json) => changed(json, /":"(?!")/, '":"\u0001', '"unlisted":"\u0001"'),
  },
  { name: 'lines of YAML', of: asYaml },
  { name: 'a bare word', of: () => 'undefined' },
  { name: 'an opening brace alone', of: () => '{' },
  { name: 'blanks alone', of: () => ' \n ' },
];

const parses = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};

export const malformedJson = rule({
  id: 'input.malformed-json',
  eachKey: true,
  clause: clauses.bodiesAreJson,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => malformed,
  twin: cleanRun,
  answering: true,
  async ask({ run, line, actor, case: { of, chunkBytes } }) {
    const body = of(JSON.stringify(actor.input ?? {}));
    if (parses(body)) throw new Inapplicable('this input stays JSON with that change');
    if (chunkBytes === undefined) return run({ body });
    // Who wants to know the length first may say so; whether chunks are taken, and what they leave behind, is asked elsewhere.
    const valid = await run({ chunkBytes, on: line() });
    if (!succeeded(valid)) throw new Inapplicable('a valid body in chunks is not accepted either');
    return run({ body, chunkBytes, on: line() });
  },
  judge: (exchange) => expectStatus(exchange, [400, 422]),
  fix: 'Parse bodies with a strict JSON parser, and answer 400 or 422 if parsing fails.',
});

const notObjects: readonly (Case & { readonly of: (input: Json) => Json })[] = [
  { name: 'an array', of: (input) => [input] },
  // What languages make an object of as readily as of an object.
  { name: 'a list of pairs', of: (input) => (isObject(input) ? Object.entries(input) : []) },
  { name: 'a string', of: (input) => JSON.stringify(input) },
  { name: 'a number', of: () => 42 },
  { name: 'null', of: () => null },
  { name: 'true', of: () => true },
  // What many languages take for nothing at all.
  { name: 'an empty array', of: () => [] },
  { name: 'an empty string', of: () => '' },
  { name: 'zero', of: () => 0 },
  { name: 'false', of: () => false },
];

/** One of which nothing but a failure is known proves nothing. */
const works =
  ({ actors: { crashing } }: Subject) =>
  (actor: Actor): boolean =>
    !crashing.includes(actor);

/** Where each actor reads its own input, one of them forgets to look; or demands nothing, so that nothing is enough. */
const atOtherActors = (subject: Subject) =>
  [...subject.actors.clean.slice(1), ...otherActors(subject).filter(works(subject))].flatMap((actor) =>
    notObjects
      .filter(({ name }) => elsewhereToo.has(name))
      .map(({ name, of }) => ({
        name: `${actor.name}: ${name}`,
        of,
        actor,
        ...(actor.entitledKey === undefined ? {} : { key: actor.entitledKey }),
      })),
  );

const elsewhereToo = new Set(['a string', 'an empty array', 'null']);

export const notAnObject = rule({
  id: 'input.not-an-object',
  eachKey: true,
  clause: clauses.inputIsObject,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: (subject) => [...notObjects, ...atOtherActors(subject)],
  twin: cleanRun,
  answering: true,
  ask: ({ run, actor, case: { of } }) => run({ input: of(actor.input ?? {}) }),
  judge: (exchange) => expectStatus(exchange, [400, 422]),
  fix: 'Refuse a body that parses but is not a JSON object, such as `null` or an array.',
});

export const emptyBody = rule({
  id: 'input.empty-body',
  clause: clauses.badInputIs400or422,
  needs: ['key'],
  without: ['actor'],
  cases(subject) {
    const demanding = fieldCases(subject, ['missing']);
    if (typeof demanding === 'string') return demanding;
    const each = new Map(demanding.map((one) => [one.actor.name, one]));
    return [...each.values()].flatMap(({ actor, key }) =>
      [
        { name: `${actor.name}: no body`, contentType: 'application/json' },
        { name: `${actor.name}: no body and no content type`, contentType: null },
      ].map((one) => ({ ...one, actor, ...(key === undefined ? {} : { key }) })),
    );
  },
  twin: cleanRun,
  answering: true,
  about: ({ case: { contentType } }) => ({ untyped: contentType === null }),
  ask: async ({ run, case: { contentType } }) => ({ exchange: await run({ body: '', contentType }) }),
  // Two things are wrong with a request that says no type either, and the other may be answered first.
  judge: ({ exchange }, { untyped }) => expectStatus(exchange, untyped ? [400, 415, 422] : [400, 422]),
  fix: 'Treat an empty body as bad input: it is not a JSON object, and lacks every required field.',
});

export const extremeBodies = rule({
  id: 'input.extreme-bodies',
  clause: clauses.badInputIsNoServerError,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: (subject) => [...extremes, ...wholeNumbers(subject), ...oddTexts(subject)],
  twin: cleanRun,
  answering: true,
  byStatus: true,
  about: ({ case: { long = false } }) => ({ long }),
  ask: async ({ run, actor, random, case: { of, headers, elsewhere } }) => ({
    exchange: await run({
      body: of(actor.input, random),
      ...(headers === undefined ? {} : { headers }),
      ...(elsewhere ? { actor: invented(random) } : {}),
    }),
  }),
  judge: ({ exchange }, { long }) => (long && hungUp(exchange) ? [] : expectNoServerError(exchange)),
  fix: 'Limit the depth and size of what you parse, and answer 4xx to every body that you cannot read, decode or write back.',
});

const hungUp = ({ response, failure }: Exchange): boolean =>
  response === undefined && (failure?.kind === 'reset-before-head' || failure?.kind === 'closed-before-head');

interface Typed extends Case {
  readonly contentType: string | null;
  readonly accepted?: true;
}

const types: readonly Typed[] = [
  { name: 'JSON with a charset', contentType: 'application/json; charset=utf-8', accepted: true },
  { name: 'JSON with a charset in capitals', contentType: 'application/json; charset=UTF-8', accepted: true },
  { name: 'JSON with a charset and no blank', contentType: 'application/json;charset=utf-8', accepted: true },
  { name: 'JSON in another case', contentType: 'Application/JSON', accepted: true },
  // Equal to one without quotes (RFC 9110, section 8.3.1).
  { name: 'JSON with a charset in quotes', contentType: 'application/json; charset="utf-8"', accepted: true },
  { name: 'JSON in a charset that nobody has', contentType: 'application/json; charset=no-such-charset' },
  { name: 'plain text', contentType: 'text/plain' },
  { name: 'XML', contentType: 'application/xml' },
  { name: 'a form without boundary', contentType: 'multipart/form-data' },
  { name: 'a form', contentType: 'application/x-www-form-urlencoded' },
  { name: 'no content type', contentType: null },
  { name: 'no media type at all', contentType: 'garbage' },
];

export const contentTypes = rule({
  id: 'input.content-types',
  clause: clauses.mediaTypeParameters,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => types,
  twin: cleanRun,
  about: ({ case: { accepted = false } }) => ({ accepted }),
  ask: async ({ run, case: { contentType } }) => ({ exchange: await run({ contentType }) }),
  judge: ({ exchange }, { accepted }) => (accepted ? expectStatus(exchange, '2xx') : expectNoServerError(exchange)),
  fix: 'Accept application/json in any case and with parameters, and answer 4xx to media types that you do not accept.',
});
