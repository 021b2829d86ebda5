/** The action and the pipelines: their form, and the shell that they contain, which is run here as their runners run it. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import { matrixKeys } from '../../proofs/matrix/try-on.ts';
import { pipelineFile } from '../../src/init/files.ts';
import { version } from '../../src/version.ts';

const root = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

let folder: string;
let service: Serving;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-pipelines-'));
  service = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 });
  // npx and npm install nothing here: npx notes which package it got and starts this checkout, npm notes its arguments.
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/npx'),
    `#!/bin/sh\n[ "$1 $3 $4" = '--yes -- touchstone' ] || exit 70\nprintf '%s' "$2" > "${folder}/installed"\nshift 4\nexec "${process.execPath}" "${root}/bin/touchstone.cjs" "$@"\n`,
  );
  writeFileSync(join(folder, 'bin/node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\nprintf '%s ' "$@" > "${folder}/npm"\nexit "\${NPM_EXIT:-0}"\n`);
  for (const name of ['npx', 'npm', 'node']) chmodSync(join(folder, 'bin', name), 0o755);
  writeFileSync(
    join(folder, 'touchstone.yaml'),
    `address: ${service.url}\nactors: { clean: { name: text-digest, input: { text: a } } }\n`,
  );
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly outputs: string;
}

function run(shell: string, script: string, env: Record<string, string>): Promise<Ran> {
  const output = join(folder, 'github-output');
  rmSync(output, { force: true });
  const surroundings = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: folder,
    GITHUB_OUTPUT: output,
    GITHUB_ACTION_PATH: root,
    TOUCHSTONE_API_KEY: matrixKeys.entitled.key,
    ...env,
  };
  return new Promise((resolve) => {
    execFile(shell, ['-e', '-c', script], { cwd: folder, env: surroundings }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : Number(error.code),
        out: stdout + stderr,
        outputs: existsSync(output) ? readFileSync(output, 'utf8') : '',
      }),
    );
  });
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly id?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: object;
  readonly 'working-directory'?: string;
}

describe('action.yml', () => {
  const action = parse(text('action.yml')) as {
    readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
    readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
    readonly runs: { readonly using: string; readonly steps: readonly Step[] };
  };
  const { steps } = action.runs;

  test('has the form of a composite action', () => {
    const known = (value: object, names: readonly string[]): void =>
      expect(Object.keys(value).filter((name) => !names.includes(name))).toEqual([]);
    known(action, ['name', 'description', 'author', 'branding', 'inputs', 'outputs', 'runs']);
    known(action.runs, ['using', 'steps']);
    expect(action.runs.using).toBe('composite');
    for (const input of Object.values(action.inputs)) {
      known(input, ['description', 'required', 'default', 'deprecationMessage']);
      expect(input.description).toMatch(/\.$/);
      expect(input.default).toBeTypeOf('string');
    }
    for (const output of Object.values(action.outputs)) known(output, ['description', 'value']);
    for (const step of steps) {
      known(step, [
        'name',
        'id',
        'if',
        'uses',
        'with',
        'run',
        'shell',
        'env',
        'working-directory',
        'continue-on-error',
      ]);
      expect(Number(step.uses !== undefined) + Number(step.run !== undefined)).toBe(1);
      expect(step.run === undefined || step.shell === 'bash').toBe(true);
    }
  });

  test('pins what it uses, puts no expression into a script, and uses every input it has', () => {
    for (const { uses, run: script } of steps) {
      if (uses !== undefined) expect(uses).toMatch(pinned);
      expect(script ?? '').not.toContain('${{');
    }
    const named = [...JSON.stringify(steps).matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map((match) => match[1]);
    expect(named.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    for (const { value } of Object.values(action.outputs)) {
      const [, id = '', output = ''] = /^\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}$/.exec(value) ?? [];
      expect(steps.map((step) => step.id)).toContain(id);
      expect(text('action/check.sh')).toContain(`${output}=`);
    }
  });

  test('the other pipelines install this version of Touchstone', () => {
    expect(text('docs/pipelines/Jenkinsfile')).toContain(`defaultValue: './touchstone-${version}.tgz'`);
    expect(text('docs/pipelines/gitlab-component.yml')).toContain(`default: ./touchstone-${version}.tgz\n`);
    for (const page of ['docs/pipelines/github.yml', 'docs/pipelines.md'])
      expect(text(page)).toContain(`your-organisation/touchstone@v${version} `);
  });

  const script = steps.find(({ run: each }) => each !== undefined)?.run ?? '';
  const inputs = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [
        `INPUT_${name.toUpperCase()}`,
        given[name] ?? String(input.default),
      ]),
    );

  test('runs a check and sets the outputs', async () => {
    const { code, out, outputs } = await run(
      'bash',
      script,
      inputs({ address: service.url, depth: 'quick', only: 'verify,run' }),
    );
    expect(out).toContain('CONFORMS');
    expect(code).toBe(0);
    expect(outputs).toBe('verdict=conforms\nfailed=0\nreport=touchstone-report\n');
    expect(existsSync(join(folder, 'npm'))).toBe(false);
    expect(existsSync(join(folder, 'touchstone-report/junit.xml'))).toBe(true);
  });

  test('runs its own checkout: installs the dependencies if they are missing, and stops if it cannot', async () => {
    const checkout = join(folder, 'a checkout');
    mkdirSync(join(checkout, 'action'), { recursive: true });
    mkdirSync(join(checkout, 'bin'));
    writeFileSync(join(checkout, 'action/check.sh'), text('action/check.sh'));
    writeFileSync(join(checkout, 'bin/touchstone.cjs'), 'console.log(`checks: ${process.argv[2]}`);');
    const fresh = { ...inputs({}), GITHUB_ACTION_PATH: checkout };
    const { code, out } = await run('bash', script, fresh);
    expect(out).toContain('checks: check');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'npm'), 'utf8')).toMatch(/^ci --omit=dev --ignore-scripts .*a checkout $/);
    const stopped = await run('bash', script, { ...fresh, NPM_EXIT: '1' });
    expect(stopped.code).toBe(3);
    expect(stopped.out).toContain('::error title=touchstone::the dependencies of Touchstone could not be installed');
    expect(stopped.out).not.toContain('checks:');
  });

  test('exits with the code of the check, unless `fail` is false; an older report does not count', async () => {
    const nobody = { address: 'http://127.0.0.1:9' };
    const stopped = await run('bash', script, inputs(nobody));
    expect(stopped).toMatchObject({ code: 4, outputs: 'verdict=unreachable\nfailed=0\nreport=touchstone-report\n' });
    expect((await run('bash', script, inputs({ ...nobody, fail: 'false' }))).code).toBe(0);
    const wrong = await run('bash', script, inputs({ only: 'no.such-rule', fail: 'false' }));
    expect(wrong.out).toContain('[unknown-rule]');
    expect(wrong).toMatchObject({ code: 2, outputs: 'verdict=none\nfailed=0\nreport=touchstone-report\n' });
  });

  test.each([
    { address: '"; touch pwned; "' },
    { address: '$(touch pwned)' },
    { address: '--strict' },
    { profile: '`touch pwned`' },
    { only: "'; touch pwned #" },
    { output: '/proc/no\nverdict=conforms' },
  ])('an input is no shell: %j', async (given) => {
    const { code, outputs } = await run('bash', script, inputs(given));
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
    expect(outputs).not.toMatch(/^verdict=conforms/m);
    expect(code).toBe(2);
  });
});

describe('the GitLab component', () => {
  interface Job {
    readonly variables: Readonly<Record<string, string>>;
    readonly script: readonly string[];
  }
  const [head, body] = parseAllDocuments(text('docs/pipelines/gitlab-component.yml')).map((each) => each.toJS()) as [
    { readonly spec: { readonly inputs: Readonly<Record<string, { readonly default: string }>> } },
    { readonly touchstone: Job },
  ];
  const job = body.touchstone;
  const filled = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(job.variables).map(([name, value]) => [
        name,
        value.replaceAll(
          /\$\[\[ inputs\.(\w+) \]\]/g,
          (_, input: string) => given[input] ?? head.spec.inputs[input]!.default,
        ),
      ]),
    );

  test('puts no input into its script', () => {
    expect(job.script.join('\n')).not.toContain('$[[');
    const used = [...text('docs/pipelines/gitlab-component.yml').matchAll(/inputs\.(\w+)/g)].map((match) => match[1]);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(head.spec.inputs).toSorted());
  });

  test('runs its script in sh and in bash', async () => {
    for (const shell of ['sh', 'bash']) {
      const { code, out } = await run(shell, job.script.join('\n'), filled({ depth: 'quick' }));
      expect(out).toContain('CONFORMS');
      expect(code).toBe(0);
    }
    expect(readFileSync(join(folder, 'installed'), 'utf8')).toBe(`--package=./touchstone-${version}.tgz`);
    expect((await run('sh', job.script.join('\n'), filled({ address: 'http://127.0.0.1:9' }))).code).toBe(4);
  });
});

describe('the Jenkins stage', () => {
  const [, script = ''] = /sh '''([\s\S]*?)'''/.exec(text('docs/pipelines/Jenkinsfile')) ?? [];

  test('runs its shell', async () => {
    const from = './touchstone.tgz';
    const env = { TOUCHSTONE_PROFILE: 'touchstone.yaml', TOUCHSTONE_DEPTH: 'quick', TOUCHSTONE_PACKAGE: from };
    const { code, out } = await run('sh', script, env);
    expect(out).toContain('CONFORMS');
    expect(code).toBe(0);
    expect((await run('sh', script, { ...env, TOUCHSTONE_PROFILE: 'none.yaml' })).code).toBe(2);
  });
});

test('the workflow of the docs pins what it uses', () => {
  const { jobs } = parse(text('docs/pipelines/github.yml')) as {
    readonly jobs: { readonly touchstone: { readonly steps: readonly Step[] } };
  };
  const { steps } = jobs.touchstone;
  const others = steps.flatMap(({ uses }) => (uses === undefined || uses.startsWith('your-organisation/') ? [] : uses));
  expect(others.filter((uses) => !pinned.test(uses))).toEqual([]);
  for (const { run: script } of steps) expect(script ?? '').not.toContain('${{');
});

test.each([
  ['github', (pipeline: string) => parse(pipeline).jobs.touchstone.steps.find((step: Step) => step.run)?.run as string],
  ['gitlab', (pipeline: string) => parse(pipeline).touchstone.script.join('\n') as string],
  ['jenkins', (pipeline: string) => /sh '([^']+)'/.exec(pipeline)?.[1] ?? ''],
] as const)('what init writes for %s runs', async (kind, scriptOf) => {
  const script = scriptOf(pipelineFile(kind, ['TOUCHSTONE_API_KEY']).text);
  const { code, out } = await run('sh', `${script} --depth quick`, {});
  expect(out).toContain('CONFORMS');
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'installed'), 'utf8')).toBe(`--package=./touchstone-${version}.tgz`);
});
