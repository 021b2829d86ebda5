/** Waivers and comparisons as people meet them: child processes, a message, an exit code. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleRun, sampleWith, textOf } from '../../reports/testing.ts';
import { parseWaivers } from '../waivers/parse.ts';
import { catalogue } from './catalogue.ts';
import { bin, needs, patience, place } from './testing.ts';

const { file, folder, touchstone } = place();

const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const given = ['--reason', 'it is known since 1.0', '--owner', 'data@acme.example', '--expires', soon];
const read = (name: string) =>
  parseWaivers(readFileSync(join(folder, name), 'utf8'), {
    source: name,
    rules: catalogue.rules,
    today: new Date().toISOString().slice(0, 10),
  });

describe('touchstone waive', patience, () => {
  test('writes beside the profile, keeps what is there, and says no to what is there already', async () => {
    mkdirSync(join(folder, 'project/below'), { recursive: true });
    file('project/touchstone.yaml', 'address: http://127.0.0.1:1\n');
    file('project/touchstone.waivers.yaml', '# by hand\nwaivers: # all of them\n');
    chmodSync(join(folder, 'project/touchstone.waivers.yaml'), 0o640);
    const args = ['--profile', 'project/touchstone.yaml', ...given];
    const first = await touchstone(['waive', 'run.empty-result', ...args, '--issue', '#12']);
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining('is waived in project/touchstone.waivers.yaml until'),
    });
    const second = await touchstone(['waive', 'auth.header-name-case', ...args]);
    expect(second.code).toBe(0);
    expect(read('project/touchstone.waivers.yaml')).toMatchObject([
      { rule: 'run.empty-result', expectation: 'fail', issue: '#12', expires: soon },
      { rule: 'auth.header-name-case', expectation: 'warn' },
    ]);
    expect(readFileSync(join(folder, 'project/touchstone.waivers.yaml'), 'utf8')).toContain('# by hand');
    expect(statSync(join(folder, 'project/touchstone.waivers.yaml')).mode & 0o777).toBe(0o640);
    const again = await touchstone(['waive', 'run.empty-result', ...args]);
    expect(again).toMatchObject({
      code: 2,
      err: expect.stringContaining('is already waived in project/touchstone.waivers.yaml'),
    });
  });

  test.concurrent.for<[string, string[], string]>([
    ['nothing but a rule', ['run.empty-result'], 'add --reason, --owner, --expires'],
    ['a rule that there is not', ['run.emty-result', ...given], 'did you mean `run.empty-result`?'],
    ['a glob', ['run.*', ...given], 'no globs'],
    ['what only observes', ['auth.key-elsewhere', ...given], 'nothing to waive'],
    ['a failure of what only warns', ['auth.header-name-case', '--expectation', 'fail', ...given], 'write `warn`'],
    [
      'a verdict that cannot be waived',
      ['run.empty-result', '--expectation', 'error', ...given],
      'Allowed choices are fail, warn, untested',
    ],
    ['no reason', ['run.empty-result', ...given, '--reason', 'wip'], '--reason: expected a reason in words'],
    ['a day that is past', ['run.empty-result', ...given, '--expires', '2020-01-01'], '2020-01-01 is in the past'],
    ['a day far away', ['run.empty-result', ...given, '--expires', '2999-01-01'], 'more than 366 days away'],
    ['an empty issue', ['run.empty-result', ...given, '--issue', ' '], '--issue: expected'],
    [
      'a file that is broken',
      ['run.empty-result', ...given, '--waivers', file('broken.yaml', 'waivers: [\n')],
      'broken.yaml:',
    ],
    ['a folder', ['run.empty-result', ...given, '--waivers', '.'], 'the waivers cannot be read: it is a folder'],
    [
      'a place that is not',
      ['run.empty-result', ...given, '--waivers', 'none/w.yaml'],
      'cannot be written to none/w.yaml: there is no such folder',
    ],
  ])('refuses %s', async ([, args, says]) => {
    const { code, out, err } = await touchstone(['waive', ...args]);
    expect(err).toContain(says);
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).toBe(2);
    expect(statSync(join(folder, 'touchstone.waivers.yaml'), { throwIfNoEntry: false })).toBeUndefined();
  });

  // `script` makes a terminal for it.
  test('asks at a terminal for what is missing, until the answer will do', async (context) => {
    needs(context, 'script', '--version', 'bsdutils');
    const command = `${process.execPath} ${bin} waive run.empty-result --waivers asked.yaml --owner data@acme.example`;
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TERM: 'dumb' },
    });
    const answers: [string, string][] = [
      ['Why is it accepted?', 'wip'],
      ['of at least 10 characters', 'it is known since 1.0'],
      ['Until when', 'tomorrow'],
      ['a day such as', soon],
    ];
    let out = '';
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes.toString();
      const [next] = answers;
      if (next === undefined || !out.includes(next[0])) return;
      answers.shift();
      out = '';
      child.stdin.write(`${next[1]}\n`);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    expect(answers).toEqual([]);
    expect(read('asked.yaml')).toMatchObject([
      { rule: 'run.empty-result', reason: 'it is known since 1.0', expires: soon },
    ]);
  });
});

describe.concurrent('a check with waivers', patience, () => {
  const check = ['check', '--reference', '--depth', 'quick', '--only', 'verify,route', '--quiet'];
  const waivers = (rule: string, expires: string, expectation = 'fail'): string =>
    `waivers:\n  - { rule: ${rule}, expectation: ${expectation}, reason: it is known since 1.0, owner: me@acme, expires: ${expires} }\n`;

  test('is red where one has rotted, and says which and why', async () => {
    const [stale, expired, other] = await Promise.all([
      touchstone([...check, '-o', 'stale', '--waivers', file('stale.yaml', waivers('verify.valid-key', soon))]),
      touchstone([
        ...check,
        '-o',
        'old',
        '--waivers',
        file('old.yaml', waivers('limit.retry-after-present', '2026-01-01', 'untested')),
        '--only',
        'limit',
      ]),
      touchstone([...check, '-o', 'elsewhere', '--waivers', file('elsewhere.yaml', waivers('run.empty-result', soon))]),
    ]);
    expect(stale.out).toContain('WAIVERS NEED ATTENTION');
    expect(stale.out).toMatch(/The waiver of verify.valid-key is stale: the rule passes now. Remove it./);
    expect(stale.code).toBe(1);
    expect(expired.out.replaceAll(/\s+/g, ' ')).toContain(
      'The waiver of limit.retry-after-present expired on 2026-01-01',
    );
    expect(expired.code).toBe(1);
    expect(other, 'of a rule that was not asked, nothing is known').toMatchObject({ code: 0 });
    const again = await touchstone(['report', 'stale/run.jsonl', '--quiet']);
    expect(again.out).toContain('is stale');
    expect(again.code).toBe(1);
  });

  test('does not begin with a file that is wrong', async () => {
    const text = waivers('verify.valid-kye', soon);
    const { code, err } = await touchstone([...check, '-o', 'wrong', '--waivers', file('wrong.yaml', text)]);
    expect(err).toContain(
      'wrong.yaml:2:13: waivers[0].rule: there is no rule `verify.valid-kye`; did you mean `verify.valid-key`?',
    );
    expect(code).toBe(2);
    expect(statSync(join(folder, 'wrong'), { throwIfNoEntry: false })).toBeUndefined();
    const missing = await touchstone([...check, '--waivers', 'none.yaml']);
    expect(missing).toMatchObject({
      code: 2,
      err: expect.stringContaining('the waivers cannot be read: there is no such file'),
    });
  });
});

describe.concurrent('touchstone diff and matrix', patience, () => {
  const passing = sampleWith(['auth.run-without-key', 'auth.header-name-case']);
  const good = file('good.jsonl', textOf(passing));
  const bad = file('bad.jsonl', textOf(sampleRun));
  const newer = file(
    'newer.jsonl',
    textOf({ ...passing, header: { ...passing.header, rules: { version: '99', specification: 'x' } } }),
  );

  test('diff ends with 1 on something new, with 0 otherwise, with 3 where something is not known any more', async () => {
    const [worse, same, less, markdown, json] = await Promise.all([
      touchstone(['diff', good, bad]),
      touchstone(['diff', bad, bad]),
      touchstone(['diff', bad, good]),
      touchstone(['diff', good, bad, '--format', 'markdown']),
      touchstone(['diff', good, bad, '--format', 'json']),
    ]);
    expect(worse.out).toMatch(/New \(1\)\n {2}auth.run-with-invalid-key: not asked → fail/);
    expect([worse.code, same.code, less.code]).toEqual([1, 0, 3]);
    expect(same.out).toContain('Still failing (1)');
    expect(markdown.out).toContain('### New (1)');
    expect(JSON.parse(json.out)).toMatchObject({ format: 'touchstone-diff' });
  });

  test('diff of two rule sets says so', async () => {
    const { code, out } = await touchstone(['diff', good, newer]);
    expect(out).toContain('rules of version: 1 before, 99 now');
    expect(code).toBe(0);
  });

  test('matrix: on the terminal, as Markdown, as a page', async () => {
    const [shown, page] = await Promise.all([
      touchstone(['compare-implementations', `acme=${good}`, bad, 'good.jsonl']),
      touchstone(['compare-implementations', good, bad, '--format', 'html', '--output', 'matrix.html']),
    ]);
    expect(shown.out).toMatch(/^\[1\] acme: .*\n\[2\] bad: .*\n\[3\] good: /);
    expect([shown.code, page.code, page.out]).toEqual([0, 0, '']);
    expect(readFileSync(join(folder, 'matrix.html'), 'utf8')).toMatch(/^<!doctype html>/);
    const markdown = await touchstone(['matrix', good, bad, '-f', 'markdown']);
    expect(markdown.out).toContain('## For the authors of the specification');
  });

  test.for<[string, () => string[], string]>([
    [
      'a matrix of two rule sets',
      () => ['compare-implementations', good, newer],
      'the rules would differ, not the implementations',
    ],
    ['a matrix of nothing', () => ['compare-implementations'], "missing required argument 'runs'"],
    [
      'a matrix that cannot be written',
      () => ['compare-implementations', good, '-o', 'none/m.md'],
      'the matrix cannot be written to none/m.md',
    ],
    ['a run that is not there', () => ['diff', good, 'none.jsonl'], 'none.jsonl: the run file cannot be read'],
    ['an empty run', () => ['diff', file('empty.jsonl', ''), good], 'empty.jsonl: the run file is empty'],
    [
      'a run of a newer version',
      () => ['compare-implementations', file('later.jsonl', '{"type":"header","version":99}\n')],
      'has version 99, and this Touchstone reads versions 1 to 2',
    ],
    [
      'half a gigabyte of nothing',
      () => {
        writeFileSync(join(folder, 'huge.jsonl'), '');
        truncateSync(join(folder, 'huge.jsonl'), 500 * 2 ** 20);
        return ['diff', good, 'huge.jsonl'];
      },
      'huge.jsonl:1: the line is longer than',
    ],
  ])('refuses %s', async ([, args, says]) => {
    const { code, out, err } = await touchstone(args());
    expect(err).toContain(says);
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).toBe(2);
  });
});
