import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchange, measurementOf, recordsOf, sampleRun, textOf } from '../../reports/testing.ts';
import type { RunRecord } from '../model/run.ts';
import { longestLine, RunFileError, readRun, readRunFile } from './read.ts';

const lines = textOf(sampleRun).trimEnd().split('\n');
const records = recordsOf(sampleRun);
const without = (type: RunRecord['type']): string => jsonLines(records.filter((each) => each.type !== type));
const jsonLines = (some: readonly unknown[]): string => some.map((each) => `${JSON.stringify(each)}\n`).join('');

/** The sample with the first line of a type changed by a function. */
const edited = (type: string, change: (record: never) => unknown): string => {
  const at = records.findIndex((each) => each.type === type);
  return jsonLines(records.map((each, index) => (index === at ? change(structuredClone(each) as never) : each)));
};

const refused = (text: string, read = readRun): RunFileError => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof RunFileError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

test('what was written is what is read', () => {
  expect(readRun(textOf(sampleRun))).toEqual(sampleRun);
  expect(readRun(lines.join('\r\n\n'))).toEqual(sampleRun);
});

test('a run without footer is allowed, and has none', () => {
  const run = readRun(without('footer'));
  expect(run.footer).toBeUndefined();
  expect(run.findings).toHaveLength(7);
});

test('a last line that is half there is refused by name, or dropped where that is wanted', () => {
  const cut = textOf(sampleRun).slice(0, -40);
  expect(refused(cut)).toMatchObject({ reason: 'cut-off', line: lines.length });
  const run = readRun(cut, { partial: true });
  expect(run.footer).toBeUndefined();
  expect(run.findings).toHaveLength(7);
});

test.each<[string, string, RunFileError['reason'], number | undefined]>([
  ['nothing', '', 'empty', undefined],
  ['blank lines', '\n \n', 'empty', undefined],
  ['text', 'hello\n', 'not-json', 1],
  ['another JSON', '{"a":1}\n', 'not-a-run', 1],
  ['a list', '[]\n', 'not-a-run', 1],
  ['an unknown type', edited('step', () => ({ type: 'verdict' })), 'malformed', 4],
  ['a later version', edited('header', (header: object) => ({ ...header, version: 3 })), 'unknown-version', 1],
  ['no header', without('header'), 'header-missing', 1],
  ['two headers', jsonLines([records[0], ...records]), 'duplicate', 2],
  ['an exchange twice', jsonLines([...records.slice(0, 2), ...records.slice(1)]), 'duplicate', 3],
  ['a finding twice', jsonLines([...records.slice(0, 5), ...records.slice(4)]), 'duplicate', 6],
  ['something after the footer', jsonLines([...records, records[1]]), 'contradiction', records.length + 1],
  [
    'evidence of nothing',
    edited('step', (step: object) => ({ ...step, evidence: [[{ $exchange: 9 }]] })),
    'dangling',
    4,
  ],
  ['a twin of nothing', edited('step', (step: object) => ({ ...step, twin: 9 })), 'dangling', 4],
  [
    'a finding about nothing',
    edited('finding', (each: { finding: object }) => ({ ...each, finding: { ...each.finding, exchanges: [9] } })),
    'dangling',
    5,
  ],
  [
    'earlier ones that are not there',
    jsonLines([records[0], { type: 'exchange', exchange: exchange(1, { earlier: [7] }) }]),
    'dangling',
    2,
  ],
  [
    'a rule that was not planned',
    edited('finding', (each: { finding: object }) => ({ ...each, finding: { ...each.finding, rule: 'auth.other' } })),
    'contradiction',
    5,
  ],
  [
    'a verdict that does not exist',
    edited('finding', (each: { finding: object }) => ({ ...each, finding: { ...each.finding, verdict: 'great' } })),
    'malformed',
    5,
  ],
  [
    'a verdict that the footer does not count',
    edited('finding', (each: { finding: object }) => ({ ...each, finding: { ...each.finding, verdict: 'fail' } })),
    'contradiction',
    records.length,
  ],
  [
    'an exchange that the footer does not count',
    jsonLines(
      records
        .with(1, { type: 'exchange', exchange: exchange(1) })
        .toSpliced(2, 0, { type: 'exchange', exchange: exchange(3) }),
    ),
    'contradiction',
    records.length + 1,
  ],
  [
    'a member that nobody wrote',
    edited('exchange', (each: { exchange: object }) => ({ ...each, exchange: { ...each.exchange, more: 1 } })),
    'malformed',
    2,
  ],
  [
    'a status that is a word',
    edited('exchange', (each: { exchange: { response: object } }) => ({
      ...each,
      exchange: { ...each.exchange, response: { ...each.exchange.response, status: 'OK' } },
    })),
    'malformed',
    2,
  ],
  [
    'neither answer nor failure',
    edited('exchange', ({ exchange: { response: _, ...rest } }: { exchange: { response: object } }) => ({
      type: 'exchange',
      exchange: rest,
    })),
    'malformed',
    2,
  ],
])('refused: %s', (_, text, reason, line) => {
  const error = refused(text);
  expect(error.reason, error.message).toBe(reason);
  expect(error.line).toBe(line);
  expect(error.message).toMatch(line === undefined ? /^the run: / : `the run:${line}: `);
  expect(error.message.length).toBeLessThan(300);
});

test('measurements are read as they were written, and each stands there once', () => {
  const lines = textOf({ ...sampleRun, measurements: [measurementOf(), measurementOf({ id: 'capacity.2' })] });
  expect(readRun(lines).measurements?.map(({ id }) => id)).toEqual(['latency', 'capacity.2']);
  expect(readRun(lines).measurements?.[0]).toEqual(measurementOf());
  const twice = textOf({ ...sampleRun, measurements: [measurementOf(), measurementOf()] });
  expect(refused(twice)).toMatchObject({ reason: 'duplicate' });
  const lying = measurementOf({ validity: { verdict: 'invalid', reasons: [] } });
  expect(refused(textOf({ ...sampleRun, measurements: [lying] }))).toMatchObject({ reason: 'malformed' });
});

test('from a file, a piece at a time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  try {
    const path = join(folder, 'run.jsonl');
    const big = exchange(2, {
      response: { status: 200, head: '', headers: [], body: { text: 'é'.repeat(1_500_000), bytes: 3_000_000 } },
    });
    const run = { ...sampleRun, exchanges: new Map([...sampleRun.exchanges, [2, big]]) };
    writeFileSync(path, textOf(run));
    expect(readRunFile(path)).toEqual(run);
    writeFileSync(path, Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0xff, 0xfe, 10])]));
    expect(refused(path, readRunFile)).toMatchObject({ reason: 'not-utf-8', line: 2 });
    writeFileSync(path, Buffer.alloc(longestLine + 1, 'x'));
    expect(refused(path, readRunFile)).toMatchObject({ reason: 'line-too-long', line: 1 });
    expect(refused(join(folder, 'none'), readRunFile).message).toContain('there is no such file');
    expect(refused(folder, readRunFile).message).toContain('it is a folder');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
