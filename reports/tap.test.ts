import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Run } from '../src/vocabulary.ts';
import { hostileRun } from './html/testing.ts';
import { tapReport } from './tap.ts';
import { sampleRun, sampleWith, waivedRun } from './testing.ts';

interface Point {
  readonly ok: boolean;
  readonly number: number;
  readonly name: string;
  readonly directive?: string;
  readonly reason?: string;
  readonly diagnostics?: Readonly<Record<string, unknown>>;
}

/** A small and strict reader of TAP 14 without subtests: every line must be one that the protocol knows. */
function read(run: Run): { points: Point[]; comments: string[] } {
  const text = tapReport(run);
  const [version, plan, ...rest] = text.trimEnd().split('\n');
  expect(version).toBe('TAP version 14');
  const points: Point[] = [];
  const comments: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const line = rest[at]!;
    const match = /^(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO) (.*))?$/.exec(line);
    if (line.startsWith('# ')) comments.push(line.slice(2));
    else if (match !== null) {
      const [, not, number, name, directive, reason] = match;
      const more = directive === undefined ? {} : { directive, reason: reason! };
      points.push({
        ok: not === undefined,
        number: Number(number),
        name: name!.replaceAll(/\\([\\#])/g, '$1'),
        ...more,
      });
    } else if (line === '  ---') {
      const end = rest.indexOf('  ...', at);
      const diagnostics = parse(rest.slice(at + 1, end).join('\n')) as Record<string, unknown>;
      points.push({ ...points.pop()!, diagnostics });
      at = end;
    } else throw new Error(`no line of TAP: ${line}`);
  }
  expect(plan).toBe(`1..${points.length}`);
  expect(points.map(({ number }) => number)).toEqual(points.map((_, at) => at + 1));
  return { points, comments };
}

const of = (run: Run, rule: string): Point | undefined => read(run).points.find(({ name }) => name.startsWith(rule));

test('each verdict is what its readers take it for, and only what passed is a plain ok', () => {
  expect(of(sampleRun, 'auth.run-without-key')).toEqual({
    ok: true,
    number: expect.any(Number),
    name: expect.any(String),
  });
  const failed = of(sampleRun, 'auth.run-with-invalid-key');
  expect(failed).toMatchObject({ ok: false, diagnostics: { severity: 'fail' } });
  expect(failed?.diagnostics?.message).toContain('expected 401');
  expect(String(failed?.diagnostics?.details)).toContain('curl');
  expect(of(sampleRun, 'auth.header-name-case')).toMatchObject({ ok: true, diagnostics: { severity: 'warn' } });
  expect(of(sampleRun, 'verify.tier-as-declared')).toMatchObject({ ok: true, directive: 'SKIP' });
  expect(of(sampleRun, 'upstream.timeout')?.reason).toContain('inconclusive: ');
  expect(of(sampleRun, 'run.success-shape')).toMatchObject({ ok: false, diagnostics: { severity: 'error' } });
  expect(read(sampleRun).comments.at(-2)).toContain('DOES NOT CONFORM');
});

test('what is waived is a TODO that says by whom', () => {
  expect(of(waivedRun, 'auth.run-with-invalid-key')).toMatchObject({ ok: false, directive: 'TODO' });
  expect(of(waivedRun, 'auth.run-with-invalid-key')?.reason).toContain('waived by ann@example.org until 2027-01-31');
});

test('a run that ended early, or has nothing but a skip, is not ok', () => {
  const { footer: _, ...footless } = sampleRun;
  for (const run of [footless, sampleWith(['auth.run-without-key', 'upstream.timeout'])])
    expect(of(run, 'run.complete')).toMatchObject({ ok: false, diagnostics: { severity: expect.any(String) } });
});

test('a hostile service breaks no line', () => {
  const { points } = read(hostileRun());
  expect(points.length).toBeGreaterThan(400);
});
