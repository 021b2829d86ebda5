/** `touchstone load --kubernetes` and `touchstone load merge` as people meet them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readRunFile } from '../../runfile/read.ts';
import { patience, place } from '../testing.ts';

const { file, folder, touchstone } = place();

file(
  'cluster.yaml',
  `address: http://api.team.svc:8080
keys: { main: { value: "\${env:API_KEY}", tier: pro } }
tiers: [pro]
actors: { echo: { name: message-relay, input: { message: "{{nonce}}" } } }
load: { allow: [api.team.svc], max_rate: 5000, max_duration: 10m }
`,
);
file('own.yaml', readFileSync(join(folder, 'cluster.yaml'), 'utf8').replace('api.team.svc:8080', '127.0.0.1:9'));
const env = { API_KEY: 'vk_live_never_shown' };
const ask = [
  'load',
  'latency',
  '-p',
  'cluster.yaml',
  '--allow-remote-load',
  'api.team.svc',
  '--rate',
  '100',
  '--duration',
  '10s',
];

/** As two pods would write them: every second slot each. */
function writeSamples(to: string, pods = 2): void {
  mkdirSync(join(folder, to), { recursive: true });
  for (let pod = 0; pod < pods; pod += 1) {
    const lines = Array.from({ length: 1300 / pods }, (_, at) => {
      const slot = at * pods + pod;
      return `~0 0 ${slot} ${(10 * slot + 40).toFixed(3)} ${(20 + (slot % 7)).toFixed(3)} 200 +`;
    });
    writeFileSync(join(folder, to, `pod-${pod}.samples`), `${lines.join('\n')}\n`);
  }
}

describe('from a plan to one measurement', patience, () => {
  test('nothing is sent, manifests and steps are there, and what the pods wrote becomes a measurement', async () => {
    const asked = await touchstone([...ask, '--kubernetes', '2', '-o', 'out'], { env });
    expect(asked.err).toContain('Nothing was sent.');
    expect(asked.code).toBe(0);
    const [name] = readdirSync(join(folder, 'out')).filter((each) => each.startsWith('touchstone-latency-'));
    const at = (path: string) => join('out', name!, path);
    expect(asked.out).toContain(`kubectl apply -f out/${name}/manifests.yaml\n`);
    const kinds = parseAllDocuments(readFileSync(join(folder, at('manifests.yaml')), 'utf8')).map((each) =>
      each.get('kind'),
    );
    expect(kinds).toEqual(['ConfigMap', 'PersistentVolumeClaim', 'TestRun']);
    for (const each of readdirSync(join(folder, at('.'))))
      expect(readFileSync(join(folder, at(each)), 'utf8')).not.toContain('never_shown');

    const early = await touchstone(['load', 'merge', `out/${name}`]);
    expect(early.err).toContain('it holds no samples');
    expect(early.code).toBe(2);

    writeSamples(at('results'));
    const merged = await touchstone(['load', 'merge', `out/${name}`, '-o', 'merged']);
    expect(merged.out).toMatch(
      /^VALID {2}latency of http:\/\/api\.team\.svc:8080: 100 requests a second.*k6 2\.2\.0 × 2/,
    );
    expect(merged.code).toBe(0);
    const [measurement] = readRunFile(join(folder, 'merged/load-latency.jsonl')).measurements!;
    expect(measurement!.latencies.ok.count).toBe(1000);
    expect(measurement!.machine.system).toBe('Kubernetes');

    const compared = await touchstone(['compare', 'merged', 'merged/load-latency.jsonl']);
    expect(compared.out).toContain('CANNOT TELL');

    writeSamples(at('results/again'));
    const twice = await touchstone(['load', 'merge', `out/${name}`, '-q']);
    expect(twice.out).toMatch(/INVALID: generator[\s\S]*sent twice/);
    expect(twice.code).toBe(3);
  });

  test('as many pods as the rate takes, in a namespace, with names of your own', async () => {
    const flags = ['--kubernetes', '--namespace', 'perf', '--secret', 'mine', '--storage-class', 'nfs', '-o', 'named'];
    const { out, code } = await touchstone([...ask, ...flags], { env });
    expect(out).toContain('kubectl -n perf create secret generic mine --from-file=keys=keys.txt');
    expect(out).toMatch(/^# 1 pod\. /);
    expect(code).toBe(0);
  });
});

describe.concurrent('refused', patience, () => {
  test.each<[string, readonly string[], string]>([
    ['a pod would load itself', ['load', 'latency', '-p', 'own.yaml', '--kubernetes'], 'is a pod itself'],
    ['another machine that nobody allowed', [...ask.slice(0, 4), '--kubernetes'], '--allow-remote-load'],
    ['what needs no schedule', ['load', 'smoke', ...ask.slice(2, 6), '--kubernetes'], 'does not run in a cluster'],
    ['no pods', [...ask, '--kubernetes', '0'], 'whole number'],
    ['an invalid name', [...ask, '--kubernetes', '--namespace', 'Mine;rm'], 'small letters'],
    ['no such folder', ['load', 'merge', 'nowhere'], 'nowhere/plan.json: there is no such file'],
    ['a folder with something else', ['load', 'merge', '.'], 'plan.json: there is no such file'],
  ])('%s', async (_, args, says) => {
    const { code, err, out } = await touchstone(args, { env: { ...env, TOUCHSTONE_API_KEY: 'vk_live_x' } });
    expect(err).toContain(says);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test('an invalid plan', async () => {
    mkdirSync(join(folder, 'odd'));
    writeFileSync(join(folder, 'odd/plan.json'), '{"version":1}');
    const { code, err } = await touchstone(['load', 'merge', 'odd']);
    expect(err).toContain('odd/plan.json is not a plan of `touchstone load --kubernetes`');
    expect(code).toBe(2);
  });
});
