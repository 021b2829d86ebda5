/** `touchstone report` on run files as people have them: of every format, cut off, edited, interrupted, enormous. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatNames } from '../../reports/index.ts';
import { exchange, measurementOf, recordsOf, sampleRun, sampleWith, textOf } from '../../reports/testing.ts';
import { runVersion } from '../model/run.ts';
import { patience, place } from './testing.ts';

const { file, folder, touchstone } = place();
const text = textOf(sampleRun);
const lines = text.trimEnd().split('\n');
const { footer: footerOf, ...footless } = sampleRun;
const everything = formatNames.filter((name) => name !== 'console' && name !== 'github').join(',');

describe.concurrent('report', patience, () => {
  test('every format at once, each in its file', async () => {
    const { code, err, out } = await touchstone([
      'report',
      file('whole.jsonl', text),
      ...['--format', `console,${everything}`, '--output', 'all'],
    ]);
    expect(err).toBe('');
    expect(code).toBe(1);
    expect(out).toContain('DOES NOT CONFORM');
    expect(readdirSync(join(folder, 'all')).sort()).toEqual(
      [
        '.gitignore',
        'badge.json',
        'badge.svg',
        'ctrf.json',
        'exchanges.har',
        'failures.sh',
        'junit.xml',
        'report.html',
        'report.json',
        'report.md',
        'report.sarif',
        'report.tap',
      ].sort(),
    );
    expect(readFileSync(join(folder, 'all/report.html'), 'utf8')).toContain('Specification coverage');
  });

  test('cut off, without a footer, interrupted: every format says so, and the exit code too', async () => {
    const cases = [
      ['cut.jsonl', text.slice(0, -30), 1, 'The run ended early'],
      ['footless.jsonl', textOf(footless), 1, 'The run ended early'],
      ['interrupted.jsonl', textOf({ ...sampleRun, footer: { ...footerOf!, interrupted: true } }), 130, 'INTERRUPTED'],
    ] as const;
    for (const [name, content, exit, says] of cases) {
      const { code, out } = await touchstone([
        'report',
        file(name, content),
        '--format',
        `console,${everything}`,
        '--output',
        name.slice(0, 3),
      ]);
      expect(code, name).toBe(exit);
      expect(out, name).toContain(says);
      for (const report of ['report.html', 'report.md', 'junit.xml', 'ctrf.json', 'failures.sh'])
        expect(readFileSync(join(folder, name.slice(0, 3), report), 'utf8').toLowerCase(), report).toMatch(
          /ended early|interrupted/,
        );
      expect(readFileSync(join(folder, name.slice(0, 3), 'exchanges.har'), 'utf8')).toMatch(
        /no footer|was interrupted/,
      );
    }
  });

  test('a comma in the path of a report is written with a backslash', async () => {
    const run = file('comma.jsonl', textOf(sampleRun));
    await touchstone(['report', run, '--format', String.raw`tap=a\,b.tap,json=c.json`]);
    expect(readFileSync(join(folder, 'a,b.tap'), 'utf8')).toContain('TAP version 14');
    expect(readFileSync(join(folder, 'c.json'), 'utf8')).toContain('"outcome"');
  });

  test('load: figures and pictures, and no rule that nobody asked', async () => {
    const run = {
      ...sampleRun,
      header: { ...sampleRun.header, planned: [] },
      findings: [],
      steps: [],
      exchanges: new Map(),
    };
    const counts = { pass: 0, fail: 0, warn: 0, observed: 0, untested: 0, inconclusive: 0, error: 0 };
    const thresholds = [{ name: 'latency.p99', demanded: '5 ms', came: '9 ms', outcome: 'missed' as const }];
    const loaded = {
      ...run,
      measurements: [measurementOf({ thresholds })],
      footer: { ...footerOf!, exchanges: 0, counts },
    };
    const { code } = await touchstone([
      'report',
      file('load.jsonl', textOf(loaded)),
      '--format',
      everything,
      '--output',
      'load',
    ]);
    expect(code).toBe(1);
    const report = (name: string): string => readFileSync(join(folder, 'load', name), 'utf8');
    for (const name of ['report.html', 'report.md', 'junit.xml', 'ctrf.json'])
      expect(report(name), name).toMatch(/latency\.p99/);
    expect(report('junit.xml')).not.toContain('run.complete');
    expect(report('report.md')).toContain('A THRESHOLD IS MISSED');
    expect(report('badge.json')).toContain('a threshold is missed');
  });

  test.for<[string, () => string, string]>([
    ['empty', () => '', 'the run file is empty'],
    [
      'of a newer version',
      () => text.replace('"version":1', `"version":${runVersion + 1}`),
      'and this Touchstone reads version',
    ],
    ['with a member that no version has', () => text.replace('"seed":42', '"seed":42,"more":1'), 'has the wrong form'],
    ['with a verdict that was edited', () => text.replace('"verdict":"fail"', '"verdict":"pass"'), 'the footer counts'],
    ['with an exchange taken out', () => lines.filter((_, at) => at !== 2).join('\n'), 'which is not in the file'],
    [
      'with a verdict that there is not',
      () => text.replace('"verdict":"fail"', '"verdict":"fine"'),
      'has the wrong form',
    ],
    ['that is a picture', () => '\u0089PNG\r\n\u001a\n', 'is not JSON'],
  ])('a run file %s: one sentence and what to do, exit code 2, nothing written', async ([name, content, says]) => {
    const output = `none-${name.replaceAll(' ', '-')}`;
    const { code, out, err } = await touchstone([
      'report',
      file(`${output}.jsonl`, content()),
      '--format',
      everything,
      '--output',
      output,
    ]);
    expect(err).toContain(says);
    const [, ...more] = err.trim().split('\n');
    expect(more.map((line) => line.slice(0, 6))).toEqual(['Next: ']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(readdirSync(folder)).not.toContain(output);
  });

  test('places that cannot be written to: one sentence, exit code 2', async () => {
    const path = file('good.jsonl', text);
    mkdirSync(join(folder, 'folder.html'));
    const [folderless, taken, gone] = await Promise.all([
      touchstone(['report', path, '--format', 'html', '--output', '/proc/none/deep']),
      touchstone(['report', path, '--format', 'html=folder.html']),
      touchstone(['report', path, '--format', 'markdown=no/such/place.md']),
    ]);
    expect(folderless.err).toContain('the output folder /proc/none/deep cannot be made');
    expect(taken.err).toContain('the report cannot be written to folder.html: it is a folder');
    expect(gone.err).toContain('the report cannot be written to no/such/place.md: there is no such folder');
    const beside = await touchstone([
      'report',
      file('passed.jsonl', textOf(sampleWith(['auth.run-without-key']))),
      '--format',
      'html=folder.html,console',
    ]);
    expect(beside.out).toMatch(/NOT WRITTEN: .*\n[\s\S]*\nexit code 2: the run or a report could not be written\n$/);
    expect(beside.out).not.toContain('CONFORMS');
    for (const { code, err } of [folderless, taken, gone, beside]) {
      expect(code).toBe(2);
      expect(err).not.toMatch(/\n\s+at /);
    }
  });
});

// Half a gigabyte goes to the disk and back.
test('a run file of 500 MB', { timeout: 300_000 }, async () => {
  const path = join(folder, 'great.jsonl');
  const size = 50 * 2 ** 20;
  const handle = openSync(path, 'w');
  let records = 0;
  for (const record of recordsOf({ ...sampleRun, footer: { ...footerOf!, exchanges: 12 } })) {
    if (record.type === 'step') {
      for (let id = 3; id <= 12; id += 1) {
        const { response, ...rest } = exchange(id);
        const large = { ...rest, response: { ...response!, body: { text: 'x'.repeat(size), bytes: size } } };
        records += writeSync(handle, `${JSON.stringify({ type: 'exchange', exchange: large })}\n`);
      }
    }
    writeSync(handle, `${JSON.stringify(record)}\n`);
  }
  closeSync(handle);
  expect(records).toBeGreaterThan(500e6);
  const { code, err, out } = await touchstone([
    'report',
    'great.jsonl',
    '--format',
    `console,${everything}`,
    '--output',
    'great',
  ]);
  rmSync(path);
  expect(err).toBe('');
  expect(out).toContain('DOES NOT CONFORM');
  expect(code).toBe(1);
  expect(readFileSync(join(folder, 'great/report.html')).length).toBeLessThan(2 ** 20);
});
