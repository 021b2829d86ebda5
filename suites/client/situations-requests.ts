/** What a client is given to send: names, inputs and addresses that want care. */
import { readJson, type Situation } from '../../src/vocabulary.ts';
import { quick, result } from './answers.ts';

const given = (name: string, title: string, more: Partial<Situation>): Situation => ({
  name,
  title,
  depth: 'standard',
  items: 3,
  answers: (plant) => [result(plant)],
  ...more,
});

/** What gets lost in templates, shells, form encodings and helpful defaults. */
const oddInput = {
  text: 'äöü ß € 日本語 🛰️ "quoted" \\back\\ \'single\' <tag> & %41 + $HOME `x` {{y}}',
  lines: 'one\ntwo\r\nthree\ttab ',
  shell: 'two  blanks, an * and a ? ~ [a-z]* %s %d \\t \\n \\0',
  empty: '',
  none: null,
  off: false,
  zero: 0,
  CamelKey: 'e\u0301 is two letters',
  digits: '007',
  date: '2024-02-03T04:05:06.070+02:00',
  looks: ['true', 'null', '1e3', '-0'],
  single: ['one'],
  quoted: '"in quotes"',
  file: '@file',
  long: 'a text longer than a buffer, '.repeat(350),
  time: 1767225600123,
  small: 0.1,
  exact: 52.520006599,
  negative: -12.5,
  list: [],
  order: ['b', 'a', 3, 1, 'b'],
  map: {},
  nested: { 'a.b': [{ c: [1, [2, [3]]] }], 'key with space': true, url: 'https://example.com/?q=a+b&c=%20#d' },
};

export const requestSituations: readonly Situation[] = [
  quick(
    given('odd-name', 'an actor name with capitals, a space and an umlaut', {
      actor: 'Köln Weather',
      varies: ['repeated'],
    }),
  ),
  quick(given('odd-name-reserved', 'an actor name with reserved characters', { actor: 'team/crawl?x=1#y%41' })),
  quick(
    given('odd-input', 'an input with odd but valid values', {
      input: oddInput,
      varies: ['repeated', 'among'],
    }),
  ),
  quick(given('empty-input', 'an input without fields', { input: {} })),
  given('exact-numbers', 'an input with numbers of many digits', {
    input: readJson('{"id":9007199254740993,"price":0.10000000000000000555,"url":"https://example.com/"}'),
  }),
  given('with-path', 'a base address with a path', { base: 'with-path' }),
  quick(
    given('wrong-certificate', 'a certificate that nobody should believe', {
      base: 'wrong-certificate',
      quietMs: 5000,
    }),
  ),
];
