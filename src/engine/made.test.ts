import { expect, it } from 'vitest';
import { Secret } from '../model/secret.ts';
import { MadeKeys } from './made.ts';

/** A run that was given these identifiers, and has removed their records. */
function after(...removed: readonly string[]): MadeKeys {
  const made = new MadeKeys(() => false);
  for (const [at, id] of removed.entries()) {
    made.begin(`created-${at}`, 'pro', '');
    made.settle({ name: `created-${at}`, id: new Secret(`created-${at}:id`, id) });
    made.drop(`created-${at}`);
  }
  return made;
}

const id = (value: string): Secret => new Secret('id', value);

it.each([
  ['the next number', ['k160', 'k161'], 'k162', true],
  ['a number alone', ['7'], '12', true],
  ['a number far away', ['k7'], 'k2000', false],
  ['behind another letter', ['a161'], 'k162', false],
  ['no number', ['k160'], 'abc', false],
  ['drawn by lot', ['3f9a11', '77c802'], 'b41d90', false],
  ['the first of all', [], 'k1', false],
])('an identifier counts: %s', (_, removed, value, counts) => {
  expect(after(...removed).isCounted(id(value))).toBe(counts);
});

it('the beginning of an identifier is that of a record that is gone', () => {
  const made = after('k16', 'k17');
  expect(made.beginningOf(id('k171'))?.name).toBe('created-1:id');
  expect(made.beginningOf(id('k181'))).toBeUndefined();
  expect(made.beginningOf(id('k17'))).toBeUndefined();
});
