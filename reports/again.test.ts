/** The line that shows a finding about a client again is one that a shell runs. */
import { expect, it } from 'vitest';
import type { Exchange, RunHeader } from '../src/vocabulary.ts';
import { again } from './again.ts';

const header = (profile: object, more: object = {}): RunHeader =>
  ({ target: 'node client.mjs', client: {}, depth: 'standard', profile, ...more }) as unknown as RunHeader;
const line = (...given: Parameters<typeof header>): string =>
  again(header(...given), {} as Exchange, 'client.ends').command;

it('holds the words of the command line as they were given', () => {
  const command = ['/opt/my tools/node', '/home/me/client.mjs', "it's"];
  expect(line({ name: 'the command line', command })).toBe(
    String.raw`touchstone client --only client.ends -- '/opt/my tools/node' /home/me/client.mjs 'it'\''s'`,
  );
});

it('names the profile, and the depth that shows more', () => {
  expect(line({ name: 'touchstone.yaml' }, { depth: 'thorough' })).toBe(
    'touchstone client --only client.ends --depth thorough -p touchstone.yaml',
  );
});

it('reads runs that do not hold the words', () => {
  expect(line({ name: 'the command line' })).toBe('touchstone client --only client.ends -- node client.mjs');
});
