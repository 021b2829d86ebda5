import { expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { readJson } from './json-text.ts';
import { ambiguousMembers, jsonOfTree, readTree, writeTree } from './json-tree.ts';

const random = seeded(20_260_101);
const below = (limit: number): number => Math.floor(random() * limit);
const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('');

const blanks = ['', '', '', ' ', '\n', '\t', '\r\n  '];
const blank = (): string => one(blanks);

function aNumber(): string {
  const whole = one(['0', `${1 + below(9)}`, `${1 + below(9)}${digits(below(40))}`]);
  const fraction = one(['', '', `.${digits(1 + below(40))}`]);
  const exponent = one(['', '', `${one(['e', 'E'])}${one(['', '+', '-'])}${digits(1 + below(3))}`]);
  return `${one(['', '-'])}${whole}${fraction}${exponent}`;
}

const letters = [
  'a',
  'B',
  '0',
  ' ',
  '/',
  'ü',
  '名',
  '😀',
  '\u2028',
  '\u00a0',
  '__proto__',
  'constructor',
  '"',
  '\\',
  '\n',
  '\u0000',
  '\ud800',
];

const aText = (): string => JSON.stringify(Array.from({ length: below(6) }, () => one(letters)).join(''));

/** Written as `writeTree` writes it, but for blanks. */
function aDocument(depth: number): string {
  const kind = depth > 5 ? 2 + below(3) : below(5);
  if (kind === 0) {
    const members = Array.from({ length: below(5) }, () => `${aText()}${blank()}:${blank()}${aDocument(depth + 1)}`);
    return `{${blank()}${members.join(`${blank()},${blank()}`)}${blank()}}`;
  }
  if (kind === 1) {
    const items = Array.from({ length: below(5) }, () => aDocument(depth + 1));
    return `[${blank()}${items.join(`${blank()},${blank()}`)}${blank()}]`;
  }
  return kind === 2 ? aNumber() : kind === 3 ? aText() : one(['true', 'false', 'null']);
}

const tokens = /"(?:[^"\\]|\\.)*"|[^\s"]+/g;
const withoutBlanks = (text: string): string => (text.match(tokens) ?? []).join('');

test('10,000 documents are written as they were read, but for blanks, and mean what the quick reader says', () => {
  for (let at = 0; at < 10_000; at += 1) {
    const text = `${blank()}${aDocument(0)}${blank()}`;
    const tree = readTree(text);
    expect(writeTree(tree)).toBe(withoutBlanks(text));
    expect(JSON.stringify(jsonOfTree(tree))).toBe(JSON.stringify(readJson(text)));
    expect(writeTree(readTree(text.slice(tree.begin, tree.end)))).toBe(writeTree(tree));
  }
});

test('long documents mean the same to both, whatever their strings look like', () => {
  const padding = '"\\\\","\\\\\\"[12345678901234567890",';
  for (let at = 0; at < 500; at += 1) {
    const text = `[${padding.repeat(200)}${aDocument(0)},${aDocument(0)},"${'x'.repeat(below(5000))}",${aNumber()}]`;
    expect(text.length).toBeGreaterThan(4096);
    expect(JSON.stringify(readJson(text))).toBe(JSON.stringify(jsonOfTree(readTree(text))));
  }
});

test('both refuse what is not JSON', () => {
  const texts = [
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '01',
    '1.',
    '.5',
    '+1',
    '"\n"',
    '"\\x"',
    'tru',
    '1 2',
    "'a'",
    '[1',
    '{"a"}',
    '{,}',
    '\ufeff1',
    '-',
    '1e',
    '"\\u12"',
    'nul',
    'NaN',
    '{"a":1 "b":2}',
    '[1 2]',
    '[,1]',
    '\u00a01',
  ];
  for (const text of texts) {
    expect(() => readTree(text), text).toThrow();
    expect(() => JSON.parse(text), text).toThrow();
  }
});

test('members of one name that differ are found where they stand', () => {
  const text = '{"valid":false,"a":[{"b":1,"b":1.0}],"valid":true,"same":[1],"same":[1]}';
  expect(ambiguousMembers(readTree(text))).toEqual(['/a/0/b', '/valid']);
});

test('where things stand is where they are written', () => {
  const text = ' {"n": 9007199254740993, "t":"x"} ';
  const tree = readTree(text);
  const [first] = tree.kind === 'object' ? tree.members : [];
  expect(text.slice(first!.begin, first!.end)).toBe('"n": 9007199254740993');
  expect(text.slice(first!.value.begin, first!.value.end)).toBe('9007199254740993');
});
