import { expect, test } from 'vitest';
import { filesFor, limitOnFiles } from './open-files.ts';
import { patience, place } from './testing.ts';

const { touchstone } = place();
const onLinux = test.skipIf(process.platform !== 'linux');
const check = ['check', '--reference', '--depth', 'quick', '--only', 'run'];

onLinux('a process that may open too few files accuses nobody: it does not ask', patience, async () => {
  const { code, err } = await touchstone(check, { limit: 'ulimit -n 64' });
  expect(err).toContain('may open 64 files, and 8 simultaneous requests need 176');
  expect(err).toContain('[too-few-files]');
  expect(code).toBe(2);
});

onLinux('and one that may open just enough asks', patience, async () => {
  const { code, err } = await touchstone([...check, '--concurrency', '4'], { limit: `ulimit -n ${filesFor(4)}` });
  expect(code, err).toBe(0);
});

test.each([
  ['Limit  Soft  Hard  Units\nMax open files            1024                 4096                 files\n', 1024],
  ['Max open files            unlimited            unlimited            files', undefined],
  ['', undefined],
])('%s', (says, limit) => {
  expect(limitOnFiles(says)).toBe(limit);
});
