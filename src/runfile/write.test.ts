import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exchange, recordsOf, sampleRun } from '../../reports/testing.ts';
import { readRunFile } from './read.ts';
import { createRunWriter, type Later, makeOutputFolder, openRunFile, RunFileWriteError } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Time that a test moves. */
const handClock = () => {
  const calls = new Set<() => void>();
  const clock: Later = {
    later: (_: number, call: () => void) => {
      calls.add(call);
      return () => calls.delete(call);
    },
  };
  const pass = (): void => {
    const due = [...calls];
    calls.clear();
    for (const call of due) call();
  };
  return { clock, pass, waiting: calls };
};

const [header] = recordsOf(sampleRun);
const record = { type: 'exchange', exchange: exchange(1) } as const;

test('header at once, then in batches, the rest at the latest after a moment, and at the footer', () => {
  const { clock, pass } = handClock();
  const pieces: string[] = [];
  const writer = createRunWriter('run.jsonl', clock, { write: (bytes) => pieces.push(String(bytes)), close() {} });
  writer.write(header!);
  expect(pieces).toHaveLength(1);
  writer.write(record);
  expect(pieces).toHaveLength(1);
  pass();
  expect(pieces).toHaveLength(2);
  for (let at = 0; at < 200; at += 1) writer.write(record);
  const batches = pieces.length;
  expect(batches).toBeGreaterThan(3);
  expect(batches).toBeLessThan(20);
  writer.write(sampleRun.footer!);
  writer.close();
  expect(pieces.join('').trimEnd().split('\n')).toHaveLength(203);
});

test('a whole run, there and back, for its owner only', () => {
  const { clock, waiting } = handClock();
  const output = join(folder, 'a', 'touchstone-report');
  makeOutputFolder(output);
  const path = join(output, 'run.jsonl');
  const writer = openRunFile(path, clock);
  for (const each of recordsOf(sampleRun)) writer.write(each);
  writer.close();
  writer.close();
  expect(readRunFile(path)).toEqual(sampleRun);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(output, '.gitignore'), 'utf8')).toBe('*\n');
  expect(waiting.size).toBe(0);
});

test('a folder that was there keeps what git ignores in it', () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  makeOutputFolder(own);
  expect(existsSync(join(own, '.gitignore'))).toBe(false);
});

test('a full disk is one clear error, reported once, even if a timer met it', () => {
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const { clock, pass } = handClock();
  const fine = { now: true };
  const writer = createRunWriter('out/run.jsonl', clock, { write: () => (fine.now ? undefined : full()), close() {} });
  writer.write(header!);
  fine.now = false;
  writer.write(record);
  pass();
  const says = 'the run cannot be written to out/run.jsonl: no space is left on the disk';
  expect(() => writer.write(record)).toThrow(new RunFileWriteError(says, 'ENOSPC'));
  expect(() => writer.write(record)).not.toThrow();
  expect(() => writer.close()).not.toThrow();
});

test('places that cannot be written to', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => makeOutputFolder(join(file, 'x'))).toThrow('a part of its path is not a folder');
  expect(() => makeOutputFolder(file)).toThrow('a file has this name');
  expect(() => makeOutputFolder('/proc/none/deep')).toThrow('there is no such folder');
  expect(() => openRunFile(folder, handClock().clock)).toThrow('it is a folder');
  expect(() => openRunFile('/proc/none/run.jsonl', handClock().clock)).toThrow(RunFileWriteError);
});
