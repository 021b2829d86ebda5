/** `touchstone limits` as people meet it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { patience, place } from './testing.ts';

const { file, folder, touchstone } = place();

const few = ['--reference', '--max-requests', '600', '--budget', '20s', '--quick', '--trials', '1', '--seed', '7'];

interface Report {
  readonly rules: readonly { readonly rule: string; readonly verdict: string }[];
}

describe.concurrent('touchstone limits', patience, () => {
  test('announces its cost, explains the limit, and writes a run that judges alike', async () => {
    const { code, out, err } = await touchstone(['limits', ...few, '--explain', '-o', 'one', '-f', 'console,json']);
    expect(err).toMatch(/probing the limits of http:\/\/127\.0\.0\.1:\d+: probably \d+ calls and \d+ s in all/);
    expect(out).toMatch(/ {2}limit +of +kind +burst +rate +window +certainty +cost/);
    expect(out).toMatch(/main \(pro\) +\S/);
    expect(out).toContain('admitted │');
    expect(out).toContain('rate limits alone');
    expect(out).not.toContain('depth quick');
    expect([0, 3]).toContain(code);
    const report = JSON.parse(readFileSync(join(folder, 'one/report.json'), 'utf8'));
    expect(report.limits[0]).toMatchObject({ caller: 'main', tier: 'pro', route: 'verify' });
    const judged = await touchstone(['judge', 'one/run.jsonl']);
    expect(judged.out).not.toContain('differs');
    expect(judged.err).toBe('');
  });

  test('asks what provokes refusals where the chosen rules only read them', async () => {
    const [reading, asking] = await Promise.all(
      [
        ['limit.retry-after-present', 'read'],
        ['limit.exists', 'ask'],
      ].map(([rule, to]) => touchstone(['limits', ...few, '--only', rule!, '-o', to!, '-f', 'json'])),
    );
    expect(reading!.err).toContain('limit.exists is asked too');
    const { rules } = JSON.parse(readFileSync(join(folder, 'read/report.json'), 'utf8')) as Report;
    const said = Object.fromEntries(rules.map(({ rule, verdict }) => [rule, verdict]));
    expect(said).toMatchObject({ 'limit.retry-after-present': 'pass' });
    expect(Object.keys(said).sort()).toEqual(['limit.exists', 'limit.retry-after-present']);
    expect(asking!.err).not.toContain('is asked too');
  });

  test('says which rules the time is enough for', async () => {
    const slow = file(
      'slow.yaml',
      'address: http://192.0.2.1:9\nlimits: { allow: true, documented: { key: { requests: 60, per: 1m } } }\n',
    );
    const flags = ['--allow-remote-limits', '--timeout', '1s', '--budget', '6m'];
    const { err } = await touchstone(['limits', '-p', slow, ...flags]);
    expect(err).toMatch(
      /in 360 s probably only \d+ of \d+ rules are decided: .*limit\.retry-after-present.* --budget \d+m/,
    );
  });

  test('no limit elsewhere is looked for without being asked twice', async () => {
    const [unsaid, unconfirmed] = await Promise.all([
      touchstone(['limits', 'http://192.0.2.1:9', '--timeout', '1s']),
      touchstone([
        'limits',
        '-p',
        file('far.yaml', 'address: http://192.0.2.1:9\nlimits: { allow: true }\n'),
        '--timeout',
        '1s',
      ]),
    ]);
    expect(unsaid.err).toContain('add limits: { allow: true } to the profile, and --allow-remote-limits');
    expect(unconfirmed.err).toContain('confirm it with --allow-remote-limits');
    expect([unsaid.code, unconfirmed.code]).toEqual([2, 2]);
  });

  test('interrupted, it ends at once and says so', async () => {
    const { code, out } = await touchstone(['limits', '--reference', '-o', 'cut'], {
      interruptAt: ['checking http'],
    });
    expect(code).toBe(130);
    expect(out).toContain('INTERRUPTED');
  });

  test.for([
    [['--max-requests', '0'], 'Expected a whole number from 1'],
    [['--budget', 'long'], 'Expected a duration such as 250ms'],
    [['--max-seconds', 'long'], 'Expected a whole number from 1 to 86400'],
    [['--trials', '-1'], 'Expected a whole number from 1 to 1000'],
  ] as const)('%s', async ([flags, says]) => {
    const { code, err } = await touchstone(['limits', '--reference', ...flags]);
    expect(err).toContain(says);
    expect(code).toBe(2);
  });
});
