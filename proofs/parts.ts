/** What proves the project beyond `npm test`: one row a part. `npm run prove` runs them, `vitest.config.ts` leaves their tests out. */

export interface Part {
  readonly name: string;
  readonly shows: string;
  /** Test files, which `npm test` does not run. */
  readonly tests?: readonly string[];
  /** They disturb nobody and mind nobody: two at a time where there are two cores. */
  readonly sideBySide?: true;
  /** A program of ours. */
  readonly program?: readonly string[];
  /** Its arguments for what CI has time for. If omitted: the whole. Null: its tests are the share. */
  readonly share?: readonly string[] | null;
  /** An npm script, where the proof is one. */
  readonly script?: string;
  /** Whole, on two quiet cores. */
  readonly takes: string;
}

export const parts: readonly Part[] = [
  {
    name: 'matrix',
    shows: 'each rule is broken by its faults and by no others, and no lawful service is accused',
    tests: ['proofs/matrix/sockets.test.ts'],
    program: ['proofs/matrix/main.ts'],
    share: ['--share'],
    takes: '25 min',
  },
  {
    name: 'clients',
    shows: 'each faulty client is found by its rules and by no others, and no lawful client is accused',
    tests: ['src/certificate/client.test.ts', 'proofs/clients/clients.test.ts'],
    program: ['proofs/clients/main.ts'],
    share: [
      'nothing-odd',
      'pauses-by-chance',
      'does-not-look-at-status',
      'caps-its-wait',
      'sends-a-cookie-too',
      '--seeds',
      '2',
    ],
    takes: '14 min',
  },
  {
    name: 'stacks',
    shows: 'what real HTTP stacks do in each situation: the tables of docs/clients.md',
    program: ['proofs/stacks/main.ts'],
    share: ['--promised'],
    takes: '6 min, and 5 min once to install them',
  },
  {
    name: 'between',
    shows: 'what passes between a client and a service accuses no lawful one, and finds the faulty ones',
    tests: ['proofs/clients/between.test.ts', 'src/cli/between.test.ts'],
    takes: '3 min',
  },
  {
    name: 'archive',
    shows: 'stored runs of every rule set keep their verdicts',
    tests: ['fixtures/archive/archive.test.ts'],
    takes: '5 s',
  },
  {
    name: 'engine',
    shows: 'interruptions, repetitions and busy machines change no verdict, and a run without certificate says why',
    tests: [
      'src/engine/interrupted.test.ts',
      'src/engine/repeat.test.ts',
      'src/engine/busy.test.ts',
      'src/certificate/why-not.test.ts',
    ],
    takes: '40 s',
  },
  {
    name: 'loss',
    shows: 'lost answers accuse nobody',
    tests: ['proofs/loss/loss.test.ts'],
    program: ['proofs/loss/main.ts'],
    share: ['2'],
    takes: '15 s',
  },
  {
    name: 'camouflage',
    shows:
      'how well one request can be recognised; services that are lawful only for a harness that they recognise are found',
    program: ['proofs/camouflage/main.ts'],
    share: ['--share'],
    takes: '2 min',
  },
  {
    name: 'tampering',
    shows: 'no edited certificate and no edited challenge verifies',
    tests: ['src/certificate/witness/witness.test.ts'],
    takes: '15 s',
  },
  {
    name: 'hostile',
    shows: 'services that attack the harness get no pass, no crash and no memory',
    tests: ['proofs/hostile/hostile.test.ts', 'proofs/hostile/bombs.test.ts', 'src/cli/not-a-weapon.test.ts'],
    sideBySide: true,
    program: ['proofs/hostile/main.ts'],
    share: ['--share', '74'],
    takes: '72 min',
  },
  {
    name: 'fuzz',
    shows: 'harmed answers and files are refused or judged, never believed',
    tests: ['proofs/fuzz/fuzz.test.ts'],
    program: ['proofs/fuzz/main.ts'],
    share: ['--seconds', '20', '--seed', '7'],
    takes: '10 min',
  },
  {
    name: 'secrets',
    shows: 'no key and no token gets into anything that is written or shown, in whichever disguise',
    tests: ['proofs/canary/canary.test.ts', 'proofs/canary/disguised.test.ts'],
    program: ['proofs/canary/main.ts'],
    share: ['--disguises', '5'],
    takes: '15 min',
  },
  {
    name: 'nights',
    shows: 'kills, full disks, suspended machines and a thousand checks in a row',
    tests: ['proofs/nights/nights.test.ts'],
    program: ['--expose-gc', 'proofs/nights/main.ts'],
    share: ['--share', '40', '--seed', '7'],
    takes: '40 min',
  },
  {
    name: 'stability',
    shows: 'the same verdicts every time, on busy machines too',
    program: ['proofs/stability/main.ts'],
    share: ['--checks', '11', '--seed', '7', '--calm'],
    takes: '20 min',
  },
  {
    name: 'limiters',
    shows: 'limiters of other people are named rightly, over sockets',
    tests: [
      'fixtures/foreign-limiters/foreign.test.ts',
      'src/limits/survey/sockets/sockets.test.ts',
      'src/limits/probe/identify.test.ts',
      'src/limits/probe/penalty.test.ts',
      'src/limits/probe/hard-days.test.ts',
      'src/cli/limits.test.ts',
    ],
    takes: '90 s',
  },
  {
    name: 'targets',
    shows: 'commands, containers and compose files are started, asked and removed',
    tests: [
      'src/target/command.test.ts',
      'src/cli/target.test.ts',
      'src/target/container.test.ts',
      'src/target/compose.test.ts',
      'proofs/package/image.test.ts',
      'src/load/k6/image.test.ts',
    ],
    takes: '2 min',
  },
  {
    name: 'load',
    shows: 'load by k6 and autocannon, from the command line to the report',
    tests: [
      'src/cli/load/load.test.ts',
      'src/cli/load/k6.test.ts',
      'src/cli/load/target.test.ts',
      'src/cli/load/trouble.test.ts',
      'src/cli/load/cluster.test.ts',
      'src/load/capacity/search.test.ts',
      'src/load/compare/compare.test.ts',
    ],
    takes: '3 min',
  },
  {
    name: 'browser',
    shows: 'the HTML report in a real browser',
    tests: ['reports/html/browser.test.ts'],
    takes: '20 s',
  },
  {
    name: 'site',
    shows: 'the documentation as a site: its links, its search, and every kind of page in a real browser',
    tests: ['proofs/site/site.test.ts'],
    takes: '2 min',
  },
  {
    name: 'doors',
    shows: 'init, vitest, diff, reports, certificates and pipelines as their users run them',
    tests: [
      'src/vitest.test.ts',
      'src/cli/init.test.ts',
      'src/cli/diff.test.ts',
      'src/cli/report.test.ts',
      'src/cli/certificate.test.ts',
      'src/cli/witnessed.test.ts',
      'src/cli/clean.test.ts',
      'src/cli/endings.test.ts',
      'src/engine/single.test.ts',
      'docs/make/pipelines.test.ts',
      'docs/guides.test.ts',
    ],
    sideBySide: true,
    takes: '4 min',
  },
  {
    name: 'package',
    shows: 'the package installs, holds what it must, and nothing in it is dead',
    tests: ['proofs/package/package.test.ts', 'proofs/package/supply.test.ts'],
    script: 'package:check',
    takes: '30 s',
  },
  {
    name: 'licences',
    shows: 'what is installed may be used',
    program: ['proofs/package/licences.ts'],
    takes: '5 s',
  },
  {
    name: 'kubernetes',
    shows: 'the real k6-operator takes our manifests',
    program: ['proofs/kubernetes/main.ts'],
    takes: '2 min, and 10 min once to build its binaries',
  },
];

export const longTests: readonly string[] = parts.flatMap(({ tests = [] }) => tests);
