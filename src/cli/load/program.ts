/** The commands about load and their options. */
import { Argument, type Command, Option } from 'commander';
import { scenarioNames, scenarios } from '../../../load/shared/scenarios.ts';
import { examples, format, formerly } from '../program-parts.ts';
import { milliseconds, name, rate, whole } from '../values.ts';

const width = Math.max(...scenarioNames.map(({ length }) => length));
const all = `
Scenarios (default: latency):
${scenarioNames.map((name) => `  ${name.padEnd(width)}  ${scenarios[name].asks}\n`).join('')}`;

const pods = whole(1, 1000);

export function addLoad(root: Command): void {
  // Options after `merge` belong to `merge`.
  root.enablePositionalOptions();
  const load = root
    .command('load')
    .summary('measure how fast a service answers')
    .enablePositionalOptions()
    .description('measure how fast a service answers, and whether the measurement is valid')
    .argument('[scenario]', 'what to measure')
    .argument('[address]', 'the base address (default: from the profile)')
    .optionsGroup('What to load:')
    .option('-p, --profile <file>', 'the profile (default: touchstone.yaml here or above)')
    .option('--allow-remote-load <host>', 'load another machine; the profile must allow it too')
    .option(
      '--target-pid <pid>',
      'the process of the service, to measure its processor time and memory',
      whole(1, 2 ** 22),
    )
    .optionsGroup('How much:')
    .option(
      '--rate <number>',
      'requests a second; for capacity, the first rate to try (default: 50; 10 on another machine)',
      rate,
    )
    .option(
      '--duration <time>',
      'how long to measure, after the warm-up (default: 10s; soak 5m, ramp 1m, smoke 3s)',
      milliseconds,
    )
    .addOption(
      new Option(
        '--until <what>',
        'valid: repeat the schedule until enough of it ran while the machine was calm (default in CI)',
      ).choices(['valid', 'end']),
    )
    .option(
      '--max-duration <time>',
      'with --until valid: the longest measurement (default: 5 times the duration)',
      milliseconds,
    )
    .option('--warm-up <time>', 'how long to send before measuring (default: 3s)', milliseconds)
    .option(
      '--max-response-time <time>',
      'slowest response that must not delay the schedule (default: 2s)',
      milliseconds,
    )
    .option('--vus <count>', 'the most requests in flight (default: 1000)', whole(1, 100_000))
    .option('--workers <count>', 'k6 processes that share the load', whole(1, 64))
    .option('--connections <count>', 'for smoke and saturation (default: 2 and 16)', whole(1, 10_000))
    .option('--addresses <ranges>', 'addresses of this machine to send from, such as 127.0.0.2-127.0.0.9')
    .addOption(new Option('--of <whose>', 'for limits: whose limit').choices(['key', 'address']))
    .option('--limit <number>', 'for limits: the known limit, in requests a second', rate)
    .option('--pause <time>', 'for limits: between two multiples (default: 5s)', milliseconds)
    .option('--seed <number>', 'repeat what an earlier load sent', whole(0, 2 ** 31 - 1))
    .option('--k6 <file>', 'the k6 to use (default: TOUCHSTONE_K6, PATH, the one from tools install k6)')
    .optionsGroup('Comparison:')
    .option('--repeat <count>', 'runs in a row (default: 1, and 5 with --against)', whole(1, 100))
    .option('--against <address or profile>', 'the base: measured alternately with this one, then compared')
    .optionsGroup('Kubernetes:')
    .option(
      '--kubernetes [pods]',
      'send nothing: write manifests for the k6-operator (default: as many pods as the rate needs)',
      pods,
    )
    .option('--namespace <name>', 'with --kubernetes: the namespace', name)
    .option('--secret <name>', 'with --kubernetes: the Secret with the keys (default: touchstone-keys)', name)
    .option('--storage-class <name>', 'with --kubernetes: for the volume that all pods write results to', name)
    .optionsGroup('Reports:')
    .addOption(format())
    .option('-o, --output <folder>', 'where to write the run file and the reports', 'touchstone-report')
    .option('-q, --quiet', 'print only the verdict, and no progress')
    .addHelpText(
      'after',
      all +
        examples(
          'touchstone load latency http://127.0.0.1:8080 --rate 100 --duration 30s',
          'touchstone load ramp http://127.0.0.1:8080 --rate 300 --duration 1m',
          'touchstone load limits -p staging.yaml --limit 5',
          'touchstone load saturation http://127.0.0.1:8080 --connections 32',
          'touchstone load soak -p staging.yaml --allow-remote-load staging.example.com --duration 1h',
          'touchstone load latency -p release.yaml --against main.yaml --repeat 7',
          'touchstone load latency -p cluster.yaml --allow-remote-load api.team.svc --rate 5000 --kubernetes',
        ) +
        '\nExit codes: 0 valid, and every threshold of the profile met · 1 a threshold is missed · 2 wrong usage · 3 invalid or\ninconclusive · 4 not reachable · 5 k6 is missing · 130 interrupted\nWith --against, as compare: 1 slower than the base, 3 cannot tell\n',
    )
    .action(async (scenario: string | undefined, address: string | undefined, flags) => {
      const { load } = await import('./load.ts');
      await load(scenario, address, flags);
    });
  formerly(load, '--slowest <time>', 'maxResponseTime', milliseconds);
  formerly(load, '--rest <time>', 'pause', milliseconds);
  formerly(load, '--i-may-load <host>', 'allowRemoteLoad');
  addMerge(load);
}

function addMerge(load: Command): void {
  load
    .command('merge')
    .description('make one measurement from the samples of many generators')
    .argument('<folder>', 'the folder that --kubernetes wrote, with plan.json and the samples of every pod')
    .option('-o, --output <folder>', 'where to write the run file', 'touchstone-report')
    .option('-q, --quiet', 'print only the verdict')
    .addHelpText(
      'after',
      examples(
        'touchstone load merge touchstone-report/touchstone-latency-261121102030',
        'touchstone load merge touchstone-report/touchstone-latency-261121102030 --quiet',
        'touchstone load merge results --output touchstone-report',
      ),
    )
    .action(async (folder: string, flags) => {
      const { loadMerge } = await import('./merge.ts');
      await loadMerge(folder, flags);
    });
}

export function addTools(root: Command): void {
  const tools = root
    .command('tools')
    .summary('show which external programs were found')
    .description('show which external programs were found, and where')
    .addHelpText(
      'after',
      examples('touchstone tools', 'touchstone tools install k6', 'TOUCHSTONE_K6=/opt/k6 touchstone tools'),
    )
    .action(async () => {
      const { showTools } = await import('./tools.ts');
      await showTools();
    });
  tools
    .command('install')
    .description('build a tool with the Go toolchain of this machine')
    .addArgument(new Argument('<tool>', 'which one').choices(['k6']))
    .addHelpText(
      'after',
      examples(
        'touchstone tools install k6',
        'XDG_CACHE_HOME=/var/cache touchstone tools install k6',
        'touchstone tools install k6 && touchstone load latency http://127.0.0.1:8080',
      ),
    )
    .action(async () => {
      const { installTool } = await import('./tools.ts');
      await installTool();
    });
}
