import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { curlReport } from './curl-script.ts';
import { hostileRun } from './html/testing.ts';
import { sampleRun, sampleWith, waivedRun } from './testing.ts';

/** What bash makes of it: how often curl is called, and whatever else would be said. */
function ran(
  run: Run,
  env: Record<string, string> = {},
): { readonly calls: number; readonly code: number; readonly said: string } {
  const script = `curl() { cat >/dev/null </dev/null; echo "CALLED"; }\n${curlReport(run)}`;
  try {
    const out = execFileSync('bash', ['--norc', '-s'], {
      input: script,
      env: { PATH: '/usr/bin:/bin', ...env },
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return { calls: out.match(/CALLED/g)?.length ?? 0, code: 0, said: out };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { calls: 0, code: status, said: stderr };
  }
}

const key = { TOUCHSTONE_KEY_MAIN_TRUNCATED: 'short' };

test('asks again what failed, and needs the secrets to be there', () => {
  expect(ran(sampleRun, key)).toMatchObject({ calls: 2, code: 0 });
  const without = ran(sampleRun);
  expect(without.code).not.toBe(0);
  expect(without.said).toContain('TOUCHSTONE_KEY_MAIN_TRUNCATED: is needed');
  expect(curlReport(waivedRun)).toContain('# waived by ann@example.org');
});

test('nothing failed, nothing asked', () => {
  expect(ran(sampleWith(['auth.run-without-key']))).toEqual({ calls: 0, code: 0, said: 'nothing failed\n' });
});

test('a hostile service runs nothing in the shell that reproduces a failure', () => {
  const script = curlReport(hostileRun());
  expect(script).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const { calls, code, said } = ran(hostileRun());
  expect(code, said).toBe(0);
  expect(calls).toBeGreaterThan(100);
  expect(said.replaceAll(/CALLED|\s/g, '')).toBe('');
});
