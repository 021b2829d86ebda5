/**
 * Credentials that are almost right. A comparison that forgets an end, a case or an emptiness lets one of them in, so
 * each is asked by itself.
 */
import { type Case, type Credential, keyPrefixes, type Secret } from '../src/index.ts';

export interface NearMiss extends Case {
  readonly of: (right: Secret) => Credential;
}

const flipped = (character: string): string => (character === 'a' ? 'b' : 'a');

/** The same length, no character of the body as it was. */
const otherBody = (body: string): string => [...body].map(flipped).join('');

const swapCase = (value: string): string =>
  [...value].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');

/** Changes something even where there is no letter to turn. */
const bodyInOtherCase = (value: string): string => {
  const prefix = prefixOf(value);
  const turned = prefix + swapCase(value.slice(prefix.length));
  return turned !== value ? turned : value !== swapCase(value) ? swapCase(value) : `${value}A`;
};

const prefixOf = (value: string): string => /^vk_(?:live|test)_/.exec(value)?.[0] ?? '';

const otherPrefix = (value: string): string =>
  value.startsWith(keyPrefixes.live)
    ? keyPrefixes.test + value.slice(keyPrefixes.live.length)
    : keyPrefixes.live + value.slice(prefixOf(value).length);

/** What is wrong with any credential, key or token. */
const wrongEverywhere: readonly NearMiss[] = [
  { name: 'an empty value', of: () => '' },
  { name: 'a blank value', of: () => ' ' },
  {
    name: 'one character changed at the end',
    of: (right) => right.derive('last-changed', (v) => v.slice(0, -1) + flipped(v.at(-1)!)),
  },
  { name: 'one character less', of: (right) => right.derive('truncated', (v) => v.slice(0, -1)) },
  { name: 'one character more', of: (right) => right.derive('extended', (v) => `${v}a`) },
  { name: 'the first half alone', of: (right) => right.derive('halved', (v) => v.slice(0, Math.ceil(v.length / 2))) },
  { name: 'the right one twice', of: (right) => right.derive('doubled', (v) => v + v) },
  { name: 'the word undefined', of: () => 'undefined' },
  { name: 'the word null', of: () => 'null' },
];

export const keyNearMisses: readonly NearMiss[] = [
  ...wrongEverywhere,
  { name: 'the live prefix alone', of: () => keyPrefixes.live },
  { name: 'the test prefix alone', of: () => keyPrefixes.test },
  {
    name: 'the right prefix and another body',
    of: (right) => right.derive('other-body', (v) => prefixOf(v) + otherBody(v.slice(prefixOf(v).length))),
  },
  { name: 'one character changed in the middle', of: (right) => right.derive('middle-changed', changedInTheMiddle) },
  {
    name: 'the other case',
    of: (right) => right.derive('other-case', bodyInOtherCase),
  },
  { name: 'the other prefix', of: (right) => right.derive('other-prefix', otherPrefix) },
  { name: 'no prefix', of: (right) => right.derive('no-prefix', (v) => v.slice(prefixOf(v).length)) },
  {
    name: 'a prefix that is not one of the two',
    of: (right) => right.derive('foreign-prefix', (v) => `vk_prod_${v.slice(prefixOf(v).length)}`),
  },
  { name: 'two keys joined by a comma', of: (right) => right.derive('joined', (v) => `${v},${otherPrefix(v)}`) },
  { name: 'a wildcard', of: () => '*' },
];

export const tokenNearMisses: readonly NearMiss[] = [
  ...wrongEverywhere,
  { name: 'the word admin', of: () => 'admin' },
  { name: 'the other case', of: (right) => right.derive('other-case', bodyInOtherCase) },
  { name: 'one character changed in the middle', of: (right) => right.derive('middle-changed', changedInTheMiddle) },
];

function changedInTheMiddle(value: string): string {
  const at = Math.floor((value.length + prefixOf(value).length) / 2);
  return value.slice(0, at) + flipped(value[at] ?? '') + value.slice(at + 1);
}
