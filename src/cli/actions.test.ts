/** In GitHub Actions: annotations and the summary by themselves, and no line of a service's is a command. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatNames } from '../../reports/index.ts';
import { sampleRun, textOf } from '../../reports/testing.ts';
import { calmed } from './actions.ts';
import { patience, place } from './testing.ts';

const { file, folder, touchstone } = place();

const key = 'vk_live_0123456789abcdef';

/** Answers everything with what would be commands to the runner, and with the key that it was given. */
async function commanding<T>(use: (address: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    const given = request.headers['x-api-key'] ?? '';
    response.writeHead(200, { 'content-type': 'application/json', 'x-evil': `##[error]${given}` });
    response.end(`::error::from the service ${given}\n##[add-mask]pass\n::stop-commands::x\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe.concurrent('in GitHub Actions', patience, () => {
  test('a check annotates, adds to the summary, and passes no command on', async () => {
    const summary = join(folder, file('summary.md', 'from a step before\n'));
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      TOUCHSTONE_API_KEY: 'vk_live_0123456789abcdef',
    };
    const args = ['--only', 'verify', '--depth', 'quick', '--verbose', '--output', 'annotated'];
    const { out, err, code } = await commanding((address) => touchstone(['check', address, ...args], { env }));
    expect(code).toBe(1);
    const commands = `${out}\n${err}`.split('\n').filter((line) => /^\s*::|##\[/.test(line));
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.length).toBeLessThanOrEqual(20);
    for (const line of commands) expect(line).toMatch(/^::(error|warning) title=touchstone%3A /);
    expect(out).not.toMatch(/^\s*::/m);
    const text = readFileSync(summary, 'utf8');
    expect(text).toMatch(/^from a step before\n## ❌ Touchstone: DOES NOT CONFORM/);
    expect(text).toContain('| level | clauses |');
    // No report holds the key, though every answer did.
    const formats = formatNames.filter((name) => name !== 'console' && name !== 'github').join(',');
    await touchstone(['report', 'annotated/run.jsonl', '--format', formats, '--output', 'annotated']);
    const files = readdirSync(join(folder, 'annotated'));
    expect(files.length).toBeGreaterThan(9);
    for (const name of files) {
      const report = readFileSync(join(folder, 'annotated', name), 'utf8');
      expect(report, name).not.toContain(key.slice(8));
      expect(report, name).not.toContain(Buffer.from(key).toString('base64').slice(0, 20));
    }
    expect(readFileSync(join(folder, 'annotated/report.html'), 'utf8')).toContain('vk_live_«');
    expect(`${out}${err}${text}`).not.toContain(key.slice(8));
  });

  test('a summary that cannot be written changes no verdict; elsewhere nothing is annotated', async () => {
    const args = ['check', 'http://127.0.0.1:9', '--quiet', '--output'];
    const [there, here] = await Promise.all([
      touchstone([...args, 'there'], { env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/proc/none/summary.md' } }),
      touchstone([...args, 'here']),
    ]);
    expect(there.err).toContain('::error title=touchstone%3A NOT REACHABLE');
    expect(there.err).toContain('the job summary could not be written');
    expect(here.err).not.toContain('::error');
    expect([there.code, here.code]).toEqual([4, 4]);
  });

  test('a summary that is full stays as it is: more would drop the whole of it', async () => {
    const full = join(folder, file('full.md', 'x'.repeat(2 ** 20 - 100)));
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: full };
    const { err } = await touchstone(['check', 'http://127.0.0.1:9', '--quiet', '--output', 'full'], { env });
    expect(err).toContain('the job summary has no room left');
    expect(readFileSync(full).length).toBe(2 ** 20 - 100);
  });

  test('asked for as a format, they are on standard output and nowhere else', async () => {
    const { out, code } = await touchstone(['report', file('run.jsonl', textOf(sampleRun)), '--format', 'github']);
    expect(out).toMatch(/^::error title=/);
    expect(code).toBe(1);
  });
});

test('lines that the runner would take for commands', () => {
  expect(calmed('a\n  ::error::x\n::y::\nb ::z::\n##[group]c')).toBe('a\n  : :error::x\n: :y::\nb ::z::\n# #[group]c');
});
