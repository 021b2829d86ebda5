/** What a client meets when all goes well: every form that a lawful answer of success may have. */
import type { Answer, Plant, Situation } from '../../src/vocabulary.ts';
import { itemsOf, ok, quick, result, situation } from './answers.ts';

const escaped = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes are for strings: member names may have them as well. */
const pretty = (value: unknown): string => `\n${JSON.stringify(value, undefined, '\t')}\n`;

const large = ({ items }: Plant): string => {
  const rest = itemsOf(items).map((item, at) => ({ ...item, text: `${at} `.repeat(200) }));
  return JSON.stringify({ status: 'SUCCEEDED', items: rest });
};

/** Blanks on both sides of each colon. */
const spaced = (value: unknown): string => pretty(value).replaceAll('": ', '" : ');

const withEscape = (value: unknown): string => JSON.stringify(value).replace('"PARTIAL"', '"P\\u0041RTIAL"');

/** What looks like a status, and is none. */
const saysPartial = ({ items }: Plant): Answer => ({
  status: 200,
  body: JSON.stringify({
    items: itemsOf(items).map((item) => ({
      ...item,
      text: 'the word PARTIAL, "status":"PARTIAL", and more',
      source: { status: 'PARTIAL' },
    })),
    status: 'SUCCEEDED',
  }),
});

/** Each item has something that is easily dropped or counted wrongly, and so has the answer. */
const oddItems = ({ items }: Plant): Answer => {
  const odd = [
    { price: null, parent: null },
    { items: [{ id: 1 }, { id: 2 }] },
    { text: 'München, 東京, 🛰️' },
    { tags: [], error: 'a word of the source', status: 'failed', '#debug': {} },
  ];
  const list = itemsOf(items).map((item, at) => ({ ...item, ...odd[at % odd.length] }));
  const counters = { count: 41, total: 1200, itemCount: 3, items_total: 58 };
  return { status: 200, body: JSON.stringify({ ...counters, items: list, status: 'SUCCEEDED' }) };
};

/** The first two are equal; the others share their `id` only. */
const alike = (items: readonly string[]): readonly object[] =>
  items.map((_, at) => ({ id: 1, title: items.join(' '), page: Math.max(1, at) }));

/** Chunks end within letters of several bytes. */
const inManyLetters = ({ items }: Plant): readonly object[] =>
  itemsOf(items).map((item) => ({ ...item, text: 'ü 東京 🛰 '.repeat(8) }));

/** Longer than any client is watched. */
const neverMs = 3_600_000;

export const resultSituations: readonly Situation[] = [
  {
    ...situation('complete', 'a run that is complete', 3, (plant) => [result(plant)]),
    depth: 'quick',
    varies: ['repeated', 'among', 'large'],
  },
  { ...situation('complete-many', 'a run of eleven items', 11, (plant) => [result(plant)]), depth: 'quick' },
  situation('complete-hundreds', 'a run of 230 items', 230, (plant) => [result(plant)]),
  {
    ...situation('partial', 'a PARTIAL run', 4, (plant) => [result(plant, { status: 'PARTIAL' })]),
    depth: 'quick',
    varies: ['repeated', 'among', 'large'],
  },
  quick(
    situation('partial-one', 'a PARTIAL run of a single item', 1, (plant) => [result(plant, { status: 'PARTIAL' })]),
  ),
  quick(
    situation('partial-empty', 'a PARTIAL run without items', 0, (plant) => [result(plant, { status: 'PARTIAL' })]),
  ),
  quick(
    situation('partial-pretty', 'a pretty-printed PARTIAL run', 4, (plant) => [
      result(plant, { status: 'PARTIAL', write: spaced }),
    ]),
  ),
  quick(
    situation('partial-chunked', 'a chunked PARTIAL run', 4, (plant) => [
      { ...result(plant, { status: 'PARTIAL' }), chunked: true },
    ]),
  ),
  quick(
    situation('partial-escaped', 'a PARTIAL run whose status has an escape', 4, (plant) => [
      result(plant, { status: 'PARTIAL', write: withEscape }),
    ]),
  ),
  // Members have no order.
  quick(
    situation('partial-first', 'a PARTIAL run whose `status` comes before its `items`', 4, ({ items }) => [
      ok({ status: 'PARTIAL', items: itemsOf(items).map((item) => ({ ...item, source: { status: 'SUCCEEDED' } })) }),
    ]),
  ),
  // Any 2xx is a success.
  quick(
    situation('partial-created', 'a PARTIAL run that is 201', 4, (plant) => [
      result(plant, { status: 'PARTIAL', code: 201 }),
    ]),
  ),
  quick(situation('nested-partial', 'a complete run whose items say PARTIAL', 5, (plant) => [saysPartial(plant)])),
  quick(
    situation('odd-items', 'a run of items with odd fields, and other numbers beside them', 7, (plant) => [
      oddItems(plant),
    ]),
  ),
  quick(
    situation('list-items', 'a run whose items are lists', 4, ({ items }) => [
      { status: 200, body: JSON.stringify({ items: items.map((word) => [word, 2, 3]), status: 'SUCCEEDED' }) },
    ]),
  ),
  quick(
    situation('equal-items', 'a run of items that are equal, or have the same `id`', 4, ({ items }) => [
      {
        status: 200,
        body: JSON.stringify({ items: alike(items), status: 'SUCCEEDED' }),
      },
    ]),
  ),
  quick(
    situation('unknown-status', 'a status word that the specification does not name', 5, (plant) => [
      result(plant, { status: 'FINISHED_WITH_NOTES' }),
    ]),
  ),
  quick(
    situation('longer-word', 'a status word with PARTIAL in it', 5, (plant) => [
      result(plant, { status: 'PARTIALS_RESOLVED' }),
    ]),
  ),
  {
    ...quick(situation('empty', 'a run without items', 0, (plant) => [result(plant)])),
    varies: ['repeated'],
  },
  quick(
    situation('further-members', 'an answer with further members and headers', 6, (plant) => [
      {
        ...result(plant, {
          more: {
            run: { id: 'r-1', cost: 0.25, parent: null },
            ...{ warnings: [], elapsed_ms: 12, next: null },
            // What a failure would have, without a failure in it.
            ...{ error: null, errors: [], message: null, data: null },
          },
        }),
        headers: [
          ['X-Request-Id', '7f3a'],
          ['X-RateLimit-Remaining', '41'],
          ['Server-Timing', 'run;dur=12'],
          ['Cache-Control', 'no-store'],
        ],
        type: 'application/json; charset=utf-8',
      },
    ]),
  ),
  quick(
    situation('decoys', 'an answer with other lists beside `items`', 5, (plant) => [
      result(plant, {
        more: {
          data: itemsOf(plant.decoys.slice(0, 2)),
          results: itemsOf(plant.decoys.slice(2, 3)),
          output: { items: itemsOf(plant.decoys.slice(3, 5)) },
          result: { items: itemsOf(plant.decoys.slice(5)) },
        },
      }),
    ]),
  ),
  quick(situation('pretty', 'a pretty-printed answer', 6, (plant) => [result(plant, { write: pretty })])),
  quick(
    situation('chunked', 'a chunked answer', 6, (plant) => [
      { status: 200, body: JSON.stringify({ items: inManyLetters(plant), status: 'SUCCEEDED' }), chunked: true },
    ]),
  ),
  quick(situation('escaped', 'an answer whose letters are escaped', 6, (plant) => [result(plant, { write: escaped })])),
  quick(
    situation('large', 'an answer of some megabytes and three thousand items', 3000, (plant) => [
      { status: 200, body: large(plant) },
    ]),
  ),
  {
    ...quick(
      situation('compressed', 'a compressed answer, if the client accepts one', 6, (plant) => [
        { ...result(plant), compressed: ['gzip', 'br'] },
      ]),
    ),
    varies: ['repeated'],
  },
  situation('compressed-br', 'an answer that is compressed with br, if the client accepts that', 6, (plant) => [
    { ...result(plant), compressed: ['br'] },
  ]),
  quick(situation('created', 'a success that is 201', 3, (plant) => [result(plant, { code: 201 })])),
  quick(situation('accepted', 'a success that is 202', 3, (plant) => [result(plant, { code: 202 })])),
  situation('slow', 'a run that takes its time', 3, (plant) => [{ ...result(plant), afterMs: 6000 }]),
  {
    ...situation('silent', 'a call that is never answered', 0, (plant) => [{ ...result(plant), afterMs: neverMs }]),
    watchedMs: 11_000,
  },
];
