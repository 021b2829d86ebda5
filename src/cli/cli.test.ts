/** The command line as people meet it: child processes, a message, an exit code. Few of them, and side by side. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleRun, textOf } from '../../reports/testing.ts';
import { version } from '../version.ts';
import { program } from './program.ts';
import { bin, patience, place } from './testing.ts';

const { file, folder, touchstone } = place();

describe.concurrent('what there is to ask', patience, () => {
  test('--version', async () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(await touchstone(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
    expect(version).toBe(manifest.version);
  });

  test('--help of the whole and of a command', async () => {
    const [whole, one] = await Promise.all([touchstone(['--help']), touchstone(['check', '--help'])]);
    expect(whole.out).toContain('touchstone check --reference');
    expect(one.out).toContain('Examples:\n  $ touchstone check ');
    expect([whole.code, one.code]).toEqual([0, 0]);
  });

  test('every command has help with examples', () => {
    for (const command of program().commands) {
      const parts: string[] = [];
      command.configureOutput({ writeOut: (text) => parts.push(text) }).outputHelp();
      const help = parts.join('');
      expect(help, command.name()).toContain(`Examples:\n  $ `);
      expect(help, command.name()).toContain(`touchstone ${command.name()}`);
    }
  });

  test('explain, rules and clauses', async () => {
    const [explained, listed, counted] = await Promise.all([
      touchstone(['explain', 'auth.run-without-key']),
      touchstone(['rules', '--area', 'auth', '--level', 'required', '--json']),
      touchstone(['clauses']),
    ]);
    for (const part of ['The clause (§5 Data requests)', 'What a failure means', 'How to fix it', 'Proven by'])
      expect(explained.out).toContain(part);
    expect(JSON.parse(listed.out)).toContainEqual(
      expect.objectContaining({ rule: 'auth.run-without-key', level: 'required' }),
    );
    expect(counted.out).toMatch(/required +\d+ +\d+ +– +\d+/);
  });
});

describe.concurrent('targets that are not there', patience, () => {
  test('nobody listens, and a name that does not exist: exit code 4', async () => {
    const [silent, unknown] = await Promise.all([
      touchstone(['check', 'http://127.0.0.1:9', '--output', 'silent'], { env: { HTTP_PROXY: 'http://127.0.0.1:1' } }),
      touchstone(['check', 'http://no-such-host.invalid', '--output', 'unknown', '--format', 'junit=-']),
    ]);
    expect(silent.out).toContain('NOT REACHABLE: nothing was tested\nhttp://127.0.0.1:9: ');
    expect(silent.out).toMatch(/exit code 4: .*\n$/);
    expect(silent.err).toContain('HTTP_PROXY: set, but not used');
    expect(silent.code).toBe(4);
    expect(unknown.out).toContain('name="run.complete"');
    expect(unknown.err).toContain('NOT REACHABLE');
    expect(unknown.code).toBe(4);
  });

  test('listens and never answers: exit code 4 after the time-out', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const address = `http://127.0.0.1:${port}`;
    const { code, out } = await touchstone(['check', address, '--output', 'mute', '--timeout', '200ms', '--quiet']);
    server.close();
    expect(out).toContain('NOT REACHABLE');
    expect(code).toBe(4);
  });
});

const quick = ['check', '--reference', '--depth', 'quick'];

describe.concurrent('a whole check of the reference', patience, () => {
  test('reports in every format; the run is judged again to the same', async () => {
    const args = [
      ...quick,
      '--only',
      'auth,verify',
      '--skip',
      'auth.precedence',
      '--format',
      'console,json,junit',
      '--seed',
      '7',
    ];
    const { code, out, err } = await touchstone([...args, '--output', 'whole']);
    expect(out).toContain('CONFORMS');
    expect(out).not.toContain('\u001b');
    expect(err).toContain('seed 7');
    expect(err.split('\n').length, 'no spam where nothing can be written over').toBeLessThan(8);
    expect(code).toBe(0);
    const report = JSON.parse(readFileSync(join(folder, 'whole/report.json'), 'utf8'));
    expect(report).toMatchObject({ conforms: true, seed: 7 });
    expect(readFileSync(join(folder, 'whole/junit.xml'), 'utf8')).toContain('<testsuites ');
    const [judged, clauses] = await Promise.all([
      touchstone(['judge', 'whole/run.jsonl']),
      touchstone(['clauses', 'whole/run.jsonl', '--json']),
    ]);
    expect(judged).toMatchObject({ code: 0, err: '' });
    expect(judged.out).toContain('all as written');
    expect(JSON.parse(clauses.out).counts.required.exercised).toBeGreaterThan(3);

    const text = readFileSync(join(folder, 'whole/run.jsonl'), 'utf8');
    const edited = text
      .replace(/("rule":"auth\.run-without-key","verdict":")pass/, '$1warn')
      .replace(/("counts":\{"pass":)(\d+)(,"fail":0,"warn":)0/, (_, a, b, c) => `${a}${Number(b) - 1}${c}1`);
    const changed = await touchstone(['judge', file('edited.jsonl', edited)]);
    expect(changed.out).toContain('auth.run-without-key differs\n  written: warn\n  derived: pass\n');
    expect(changed.code).toBe(3);
  });

  test('colours are asked for by the terminal or by FORCE_COLOR, and refused by NO_COLOR', async () => {
    const path = file('sample.jsonl', textOf(sampleRun));
    const [forced, refused] = await Promise.all([
      touchstone(['report', path], { env: { FORCE_COLOR: '1' } }),
      touchstone(['report', path, '--verbose'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }),
    ]);
    expect(forced.out).toContain('\u001b[31m');
    expect(refused.out).not.toContain('\u001b');
    expect(refused.code, 'a report has the exit code of its run').toBe(1);
  });

  test('Ctrl-C once: what was asked is reported, exit code 130', async () => {
    const { code, out } = await touchstone([...quick, '--output', 'once'], { interruptAt: ['checking '] });
    expect(out).toContain('INTERRUPTED');
    expect(out).toMatch(/exit code 130: interrupted\n$/);
    expect(readFileSync(join(folder, 'once/run.jsonl'), 'utf8')).toContain('"interrupted":true');
    expect(code).toBe(130);
  });

  test('Ctrl-C twice: at once', async () => {
    const { code } = await touchstone([...quick, '--output', 'twice'], { interruptAt: ['checking ', 'Interrupted'] });
    expect(code).toBe(130);
  });

  test('a full disk: exit code 3, and no verdict', async () => {
    mkdirSync(join(folder, 'full'));
    symlinkSync('/dev/full', join(folder, 'full/run.jsonl'));
    const { code, out, err } = await touchstone([...quick, '--output', 'full']);
    expect(err).toContain('the run cannot be written to full/run.jsonl: no space is left on the disk');
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).toBe(3);
  });
});

test('serve: keys are printed once, and Ctrl-C ends it', patience, async () => {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  let out = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (text) => {
      out += text;
      if (out.includes('Check it:')) resolve();
    }),
  );
  const address = /Check it: touchstone check (\S+)/.exec(out)?.[1] ?? '';
  const key = /TOUCHSTONE_API_KEY=(\S+)/.exec(out)?.[1] ?? '';
  const checked = await touchstone(['check', address, '--only', 'verify.valid-key', '--quiet'], {
    env: { TOUCHSTONE_API_KEY: key },
  });
  expect(checked.out).toContain('CONFORMS');
  expect(checked.code).toBe(0);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(out).toContain('The admin interface is disabled');
});
