/** `touchstone clean`, after a run that was killed in the middle of what the admin rules do. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPlace, type Place, soon } from '../../proofs/nights/surroundings.ts';
import { thisOwner } from '../target/owner.ts';

const long = { timeout: 180_000 };
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const run = (...args: string[]) => place.touchstone(args).ended;
const journalOf = (folder: string): string => join(place.folder, folder, 'created.jsonl');
const linesOf = (folder: string): { type: string; name: string; id?: string }[] =>
  readFileSync(journalOf(folder), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Killed as soon as so many keys are known by their identifiers. */
async function killed(folder: string): Promise<void> {
  const started = place.touchstone(['check', '--only', 'admin', '--depth', 'quick', '-o', folder]);
  const there = await soon(
    () => existsSync(journalOf(folder)) && linesOf(folder).some(({ id }) => id !== undefined),
    60_000,
  );
  process.kill(started.pid, 'SIGKILL');
  await started.ended;
  expect(there).toBe(true);
}

/** As a run writes it that lives no more. */
function journal(folder: string, lines: readonly object[], owner = 'another.1_1_1'): void {
  mkdirSync(join(place.folder, folder), { recursive: true });
  const all = [{ type: 'journal', version: 1, target: place.url, owner, started: '2026-01-01T00:00:00Z' }, ...lines];
  writeFileSync(journalOf(folder), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
/** A profile that puts no mark into its keys. */
function unmarked(): void {
  const text = readFileSync(join(place.folder, 'touchstone.json'), 'utf8');
  writeFileSync(join(place.folder, 'unmarked.json'), text.replace('{mark}', 'nothing'));
}
const creating = (name: string) => ({
  type: 'creating',
  name,
  tier: 'pro',
  mark: 'touchstone-of-nobody',
  at: '2026-01-01T00:00:01Z',
});

describe('after kill -9', long, () => {
  test('every key that the run made is known, removed, and the second time nothing is left', async () => {
    await killed('one');
    const open = new Map(linesOf('one').flatMap(({ type, name, id }) => (type === 'gone' ? [] : [[name, id]])));
    const unknown = [...open.values()].filter((id) => id === undefined).length;
    const known = new Set(open.values());
    expect(place.foreignKeys().filter((id) => !known.has(id)).length).toBeLessThanOrEqual(unknown);
    expect(readFileSync(journalOf('one'), 'utf8')).not.toMatch(/vk_(live|test)_/);

    const first = await run('clean', '--output', 'one');
    expect(first.out).toMatch(/^removed {7}created-1 · /m);
    expect(first.out).toMatch(/, 0 not removed\.\n$/);
    expect(first.code).toBe(0);
    expect(place.foreignKeys()).toEqual([]);
    expect(existsSync(journalOf('one'))).toBe(false);
    const second = await run('clean', '--output', 'one');
    expect(second.out).toContain('The journals of one name no key that is left');
    expect(second.code).toBe(0);
  });

  test('a run that ends by itself leaves neither a key nor a journal', async () => {
    const before = place.foreignKeys();
    const { code } = await run('check', '--only', 'admin,disabled', '--depth', 'quick', '-o', 'whole');
    expect(code).toBe(0);
    expect(place.foreignKeys()).toEqual(before);
    expect(readdirSync(join(place.folder, 'whole')).sort()).toEqual(['.gitignore', 'run.jsonl']);
  });

  test('a second check says what an earlier one left', async () => {
    journal('before', [creating('created-1')]);
    const { err } = await run('check', '--only', 'verify', '--depth', 'quick', '-o', 'before');
    expect(err).toContain('Keys that an earlier run created may still be in its service (1): `touchstone clean`');
  });
});

describe('what cannot be removed is said', long, () => {
  test('already gone, without an identifier and a mark, and cut off in the middle of a line', async () => {
    unmarked();
    journal('mixed', [
      creating('created-1'),
      { type: 'created', name: 'created-1', id: 'nobody-knows-it' },
      creating('created-2'),
      creating('created-3'),
      { type: 'gone', name: 'created-3' },
    ]);
    writeFileSync(journalOf('mixed'), '{"type":"creating","na', { flag: 'a' });
    const { code, out } = await run('clean', '-o', 'mixed', '-p', 'unmarked.json');
    expect(out).toMatch(/already gone {2}created-1 · nobody-knows-it · pro/);
    expect(out).toMatch(/not removed {3}created-2 · pro .*before it knew the identifier/);
    expect(out).toContain(`then delete ${join('mixed', 'created.jsonl')}`);
    expect(out).toContain('0 keys removed, 1 already gone, 1 not removed.');
    expect(code).toBe(3);
  });

  test.each<[string, () => string[], number, RegExp]>([
    ['no folder', () => ['-o', 'none'], 2, /none does not exist[\s\S]*\[journal\]/],
    ['no journal', () => ['-o', 'touchstone.json'], 2, /touchstone\.json is not a journal/],
    ['another address', () => ['-o', 'elsewhere'], 3, /created at http:\/\/127\.0\.0\.9:9.*pass that address/],
    ['nobody answers', () => ['http://127.0.0.1:1', '-o', 'left'], 4, /created-1.*(refused|nobody)/i],
    ['the wrong token', () => ['-p', 'wrong.json', '-o', 'left'], 3, /created-1.*the service answered 40[13]/],
    ['no admin interface', () => ['-p', 'plain.json', '-o', 'left'], 2, /\[cannot-clean\]/],
    ['a run that goes on', () => ['-o', 'going'], 3, /its run is still going/],
  ])('%s', async (_, args, exit, says) => {
    const key = [creating('created-1'), { type: 'created', name: 'created-1', id: 'some' }];
    journal('left', key);
    journal('going', key, thisOwner());
    journal('elsewhere', key);
    const moved = readFileSync(journalOf('elsewhere'), 'utf8').replace(place.url, 'http://127.0.0.9:9');
    writeFileSync(journalOf('elsewhere'), moved);
    const profile = JSON.parse(readFileSync(join(place.folder, 'touchstone.json'), 'utf8'));
    const wrong = { ...profile, admin: { ...profile.admin, token: 'another-token' } };
    const { admin: __, ...plain } = profile;
    writeFileSync(join(place.folder, 'wrong.json'), JSON.stringify(wrong));
    writeFileSync(join(place.folder, 'plain.json'), JSON.stringify(plain));
    const { code, out, err } = await run('clean', ...args());
    expect(out + err).toMatch(says);
    expect(err).not.toMatch(/\n\s+at /);
    expect(code).toBe(exit);
  });
});
