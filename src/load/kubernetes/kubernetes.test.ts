import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { scenarios } from '../../../load/shared/scenarios.ts';
import definition from '../../../proofs/kubernetes/testrun.json' with { type: 'json' };
import { Secret } from '../../model/secret.ts';
import { readClusterPlan } from '../merge/cluster-plan.ts';
import type { LoadPlan } from '../plan.ts';
import { askCluster, ClusterRefused, refuseOwnMachine, stepsFor } from './ask.ts';
import { bundle, flatten, mostBytes } from './bundle.ts';
import { type ClusterRun, collector, manifestsOf, usualPlaces } from './manifests.ts';
import { podsFor } from './pods.ts';
import { yamlOf } from './yaml.ts';

const sources: Readonly<Record<string, string>> = {
  'load/latency.ts': "import { send } from './shared/scenario.ts';\nexport const options = {};\nexport default send;\n",
  'load/shared/scenario.ts':
    "import http from 'k6/http';\nimport type { Params } from 'k6/http';\nimport {\n  keys,\n} from './settings.ts';\nimport '../early.ts';\nexport const send = () => http.get(keys);\n",
  'load/shared/settings.ts': 'export const keys = __ENV.KEYS;\n',
  'load/early.ts': "// from './comment' is prose\n",
};
const read = (path: string): string => {
  const text = sources[path];
  if (text === undefined) throw new Error(`nobody wrote ${path}`);
  return text;
};

describe('a script as the files of one folder', () => {
  test('every import is there, by its new name', () => {
    const files = flatten('load/latency.ts', read);
    expect([...files.keys()].sort()).toEqual(['early.ts', 'latency.ts', 'shared-scenario.ts', 'shared-settings.ts']);
    expect(files.get('latency.ts')).toContain("from './shared-scenario.ts'");
    expect(files.get('shared-scenario.ts')).toContain("from './shared-settings.ts'");
    expect(files.get('shared-scenario.ts')).toContain("import './early.ts'");
    expect(files.get('shared-scenario.ts')).toContain("from 'k6/http'");
    expect(files.get('shared-settings.ts')).toBe(sources['load/shared/settings.ts']);
  });

  test('its names are those that a ConfigMap may have', () => {
    for (const name of bundle('load/latency.ts', {}, read).files.keys()) expect(name).toMatch(/^[-._a-zA-Z0-9]+$/);
  });

  test('settings come first, and are data whatever they hold', () => {
    const hostile = '`${process.exit()}`\n"\'\u2028</script>';
    const { files, main } = bundle('load/latency.ts', { INPUT: hostile }, read);
    expect(main).toBe('main.ts');
    expect(files.get(main)!.indexOf('given.ts')).toBeLessThan(files.get(main)!.indexOf('latency.ts'));
    const __ENV: Record<string, string> = { RATE: '5' };
    new Function('__ENV', files.get('given.ts')!)(__ENV);
    expect(__ENV).toEqual({ RATE: '5', INPUT: hostile });
  });

  test('what cannot be is said: a missing file, two of one name, a name that is taken, too much', () => {
    expect(() => flatten('load/other.ts', read)).toThrow('nobody wrote load/other.ts');
    const twice: Readonly<Record<string, string>> = {
      'a/x.ts': "import './b/c.ts';\nimport './b-c.ts';\n",
      'a/b/c.ts': '',
      'a/b-c.ts': '',
    };
    expect(() => flatten('a/x.ts', (path) => twice[path]!)).toThrow('would both be called b-c.ts');
    expect(() => bundle('a/main.ts', {}, () => '')).toThrow('must not be called main.ts');
    expect(() => bundle('a/x.ts', { INPUT: 'x'.repeat(mostBytes) }, () => '')).toThrow('a ConfigMap holds');
  });

  test('imports in a circle end', () => {
    const circle: Readonly<Record<string, string>> = { 'a/x.ts': "import './y.ts';", 'a/y.ts': "import './x.ts';" };
    expect([...flatten('a/x.ts', (path) => circle[path]!).keys()].sort()).toEqual(['x.ts', 'y.ts']);
  });

  test('the scripts of this repository', () => {
    const { files } = bundle('load/latency.ts', {}, (path) => readFileSync(path, 'utf8'));
    expect(files.has('latency.ts')).toBe(true);
    for (const text of files.values())
      for (const [, specifier] of text.matchAll(/^import .*from '(\.[^']*)'/gm))
        expect(files.has(specifier!.slice(2))).toBe(true);
  });
});

const run: ClusterRun = {
  name: 'touchstone-latency-1',
  bundle: bundle('load/latency.ts', { RATE: '400' }, read),
  pods: 4,
  secret: { name: 'touchstone-keys', headers: true, ca: true },
  image: 'grafana/k6:2.2.0',
  cpu: { request: '500m' },
  memory: '512Mi',
  results: { claim: 'touchstone-results', size: '1Gi' },
};

describe('manifests', () => {
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(definition);
  const testRunOf = (how: ClusterRun) => manifestsOf(how).find(({ kind }) => kind === 'TestRun')!;

  test.each<[string, Partial<ClusterRun>]>([
    ['as usual', {}],
    [
      'one pod, no headers, a namespace',
      { pods: 1, secret: { name: 'k', headers: false, ca: false }, namespace: 'perf' },
    ],
    [
      'a limit and a storage class',
      { cpu: { request: '1', limit: '2' }, results: { claim: 'c', size: '2Gi', storageClass: 'nfs' } },
    ],
  ])('the released definition takes them: %s', (_, more) => {
    validate(testRunOf({ ...run, ...more }));
    expect(validate.errors).toBeNull();
  });

  test('and would not take a member that it does not know', () => {
    const testRun = testRunOf(run) as unknown as { spec: { runner: Record<string, unknown> } };
    expect(validate({ ...testRun, spec: { ...testRun.spec, runners: 4 } })).toBe(false);
    expect(validate({ ...testRun, spec: { ...testRun.spec, runner: { ...testRun.spec.runner, envs: [] } } })).toBe(
      false,
    );
    expect(validate({ ...testRun, spec: { ...testRun.spec, parallelism: '4' } })).toBe(false);
  });

  test('written and read again, they are the same, scripts included', () => {
    const all = [...manifestsOf(run), collector(run)];
    expect(parseAllDocuments(yamlOf(all)).map((each) => each.toJS())).toEqual(JSON.parse(JSON.stringify(all)));
  });

  test('each pod writes a file of its own', () => {
    const text = JSON.stringify(testRunOf(run));
    expect(text).toContain(`"value":"${usualPlaces.results}/$(POD_NAME).samples"`);
    expect(text.indexOf('POD_NAME')).toBeLessThan(text.indexOf('$(POD_NAME)'));
  });

  test('a key is nowhere, only where it is to be found', () => {
    const text = yamlOf([...manifestsOf(run), collector(run)]);
    expect(text).toContain('secretName: touchstone-keys');
    expect(text).toContain('key: headers');
    expect(text).not.toMatch(/vk_(live|test)_|stringData|kind: Secret/);
  });

  test('nothing in the environment of the initializer is for a shell to read', () => {
    const { initializer } = testRunOf(run).spec as { initializer: { env: { name: string; value: string }[] } };
    for (const { value } of initializer.env) expect(value).toMatch(/^[a-z]+$/);
  });
});

describe('pods for a rate', () => {
  const cost = { cpuMicroseconds: 200, baseBytes: 50e6, vuBytes: 100e3 };

  test('as many as keep each of them calm', () => {
    expect(podsFor(100, 200, 1, cost)).toMatchObject({ pods: 1, busyCores: 0.02 });
    expect(podsFor(3_000, 200, 1, cost).pods).toBe(1);
    expect(podsFor(3_001, 200, 1, cost).pods).toBe(2);
    expect(podsFor(30_000, 200, 2, cost)).toMatchObject({ pods: 5, busyCores: 1.2 });
  });

  test('memory by the requests that may be under way', () => {
    expect(podsFor(1000, 2400, 1, cost).memoryBytes).toBe(50e6 + 2400 * 100e3);
    expect(podsFor(3_001, 2401, 1, cost).memoryBytes).toBe(50e6 + 1201 * 100e3);
  });

  test('the table of docs/load.md is what the program takes', () => {
    const rows = [...readFileSync('docs/load.md', 'utf8').matchAll(/^\| ([\d,]+) \| (\d+) \| (\d+) MB \|$/gm)];
    expect(rows.length).toBeGreaterThan(3);
    for (const [, rate, pods, mb] of rows) {
      const needed = podsFor(Number(rate!.replace(',', '')), 1000, 1);
      expect([needed.pods, Math.round(needed.memoryBytes / 1e6)]).toEqual([Number(pods), Number(mb)]);
    }
  });
});

describe('what a plan becomes', () => {
  const settings = {
    perSecond: 6000,
    seconds: 60,
    warmUpSeconds: 3,
    limitPerSecond: 1,
    quietPerSecond: 1,
    restSeconds: 5,
    keys: 2,
  };
  const plan: LoadPlan = {
    id: 'latency',
    scenario: 'latency',
    target: 'http://service.team.svc:8080',
    seed: 5,
    settings,
    phases: scenarios.latency.phases(settings),
    keys: [new Secret('main', 'vk_live_hidden1'), new Secret('other', 'vk_live_hidden2')],
    operations: [{ kind: 'run', actor: 'echo', input: '{"message":"{{nonce}}"}', weight: 1 }],
    timeoutMs: 30_000,
    slowestMs: 2000,
    mostVus: 1000,
    workers: 1,
    headers: [['X-Secret', new Secret('header', 'vk_live_hidden3')]],
    tls: { insecure: false },
    limits: {},
    thresholds: [],
  };
  const scripts = (path: string) => readFileSync(path, 'utf8');
  const ask = (more: Partial<LoadPlan> = {}, wishes = {}) =>
    askCluster({ ...plan, ...more }, wishes, '.', scripts, '2026-11-21T10:20:30.000Z');

  test('manifests, a pod to collect by, and the plan to read the samples by', () => {
    const { files, run: asked } = ask();
    expect([...files.keys()]).toEqual(['manifests.yaml', 'collect.yaml', 'plan.json']);
    expect(asked.name).toBe('touchstone-latency-261121102030');
    expect(asked.pods).toBe(3);
    expect(readClusterPlan(files.get('plan.json')!, 'plan')).toMatchObject({
      pods: { count: 3 },
      plan: { settings, seed: 5 },
    });
    expect(files.get('manifests.yaml')).toContain('parallelism: 3');
  });

  test('no secret is in any of it', () => {
    const asked = ask();
    for (const text of [...asked.files.values(), ...stepsFor(asked, plan, 'out')]) expect(text).not.toContain('hidden');
    expect(stepsFor(asked, plan, 'out').join('\n')).toContain(
      '--from-file=keys=keys.txt --from-file=headers=headers.json',
    );
  });

  test('steps that name what is in the files', () => {
    const asked = ask({ headers: [] }, { namespace: 'perf', pods: 2 });
    const steps = stepsFor(asked, plan, 'out');
    expect(steps).toContain('kubectl -n perf apply -f out/manifests.yaml');
    expect(steps).toContain(`kubectl -n perf cp ${asked.run.name}-results:${usualPlaces.results} out/results`);
    expect(steps.at(-1)).toBe('touchstone load merge out');
    expect(asked.files.get('manifests.yaml')).toContain('namespace: perf');
  });

  test('what cannot be is refused', () => {
    expect(() => ask({ scenario: 'capacity' })).toThrow(ClusterRefused);
    expect(() => ask({ scenario: 'smoke' })).toThrow('does not run in a cluster');
    expect(() => ask({ addresses: { ranges: '10.0.0.1-10.0.0.9', count: 9 } })).toThrow('omit --addresses');
    expect(() => ask({ phases: scenarios.latency.phases({ ...settings, perSecond: 5 }) }, { pods: 40 })).toThrow(
      'take fewer',
    );
    for (const own of ['http://127.0.0.1:80', 'http://localhost', 'https://[::1]:1', 'http://127.1'])
      expect(() => refuseOwnMachine(own)).toThrow(ClusterRefused);
    expect(() => refuseOwnMachine(plan.target)).not.toThrow();
  });
});
