/** The commands about load and their options. */
import { Argument, type Command, Option } from 'commander';
import { scenarioNames, scenarios } from '../../../load/shared/scenarios.ts';
import { examples, format } from '../program-parts.ts';
import { milliseconds, name, rate, whole } from '../values.ts';

const width = Math.max(...scenarioNames.map(({ length }) => length));
const all = `
Scenarios (without one it is latency):
${scenarioNames.map((name) => `  ${name.padEnd(width)}  ${scenarios[name].asks}\n`).join('')}`;

const pods = whole(1, 1000);

export function addLoad(root: Command): void {
  // What stands behind `merge` is for `merge`.
  root.enablePositionalOptions();
  const load = root
    .command('load')
    .enablePositionalOptions()
    .description('measure how fast a service answers, and whether that measurement means anything')
    .argument('[scenario]', 'what to measure')
    .argument('[address]', 'the base address; left out, the profile says it')
    .option('-p, --profile <file>', 'the profile; left out, touchstone.yaml here or above')
    .option(
      '--rate <number>',
      'requests a second; for capacity, the first tried (default: 50; 10 on another machine)',
      rate,
    )
    .option(
      '--duration <time>',
      'how long, without the warm-up (default: 10s; soak 5m, ramp 1m, smoke 3s)',
      milliseconds,
    )
    .addOption(
      new Option('--until <what>', 'valid: measure on while this machine lost too much time (default in CI)').choices([
        'valid',
        'end',
      ]),
    )
    .option(
      '--max-duration <time>',
      'with --until valid: at most so long (default: 5 times the duration)',
      milliseconds,
    )
    .option('--warm-up <time>', 'what is not measured at the beginning (default: 3s)', milliseconds)
    .option('--slowest <time>', 'so long may answers take without stopping the schedule (default: 2s)', milliseconds)
    .option('--vus <count>', 'requests under way at most (default: 1000)', whole(1, 100_000))
    .option('--workers <count>', 'k6 processes that share the load', whole(1, 64))
    .option('--connections <count>', 'for smoke and saturation (default: 2 and 16)', whole(1, 10_000))
    .option('--addresses <ranges>', 'addresses of this machine to send from, such as 127.0.0.2-127.0.0.9')
    .addOption(new Option('--of <whose>', 'for limits: whose limit').choices(['key', 'address']))
    .option('--limit <number>', 'for limits: requests a second that are admitted, as far as known', rate)
    .option('--rest <time>', 'for limits: between two multiples (default: 5s)', milliseconds)
    .option('--target-pid <pid>', 'the process of the service, to show what it costs', whole(1, 2 ** 22))
    .option('--repeat <count>', 'so many runs one after the other (default: 1, and 5 with --against)', whole(1, 100))
    .option('--against <address or profile>', 'what it is held against: measured by turns with it, then compared')
    .option('--i-may-load <host>', 'load another machine, which the profile must allow too')
    .option('--k6 <file>', 'the k6 to use; left out: TOUCHSTONE_K6, PATH, what tools install k6 has built')
    .option(
      '--kubernetes [pods]',
      'send nothing: write manifests for the k6-operator (default: the pods it takes)',
      pods,
    )
    .option('--namespace <name>', 'with --kubernetes: where', name)
    .option('--secret <name>', 'with --kubernetes: the Secret with the keys (default: touchstone-keys)', name)
    .option('--storage-class <name>', 'with --kubernetes: of the volume for results, which many pods write to', name)
    .option('--seed <number>', 'repeats what an earlier load has sent', whole(0, 2 ** 31 - 1))
    .addOption(format())
    .option('-o, --output <folder>', 'where the run file and the reports are written', 'touchstone-report')
    .option('-q, --quiet', 'the verdict only, and no progress')
    .addHelpText(
      'after',
      all +
        examples(
          'touchstone load latency http://127.0.0.1:8080 --rate 100 --duration 30s',
          'touchstone load ramp http://127.0.0.1:8080 --rate 300 --duration 1m',
          'touchstone load limits -p staging.yaml --limit 5',
          'touchstone load saturation http://127.0.0.1:8080 --connections 32',
          'touchstone load soak -p staging.yaml --i-may-load staging.example.com --duration 1h',
          'touchstone load latency -p release.yaml --against main.yaml --repeat 7',
          'touchstone load latency -p cluster.yaml --i-may-load api.team.svc --rate 5000 --kubernetes',
        ) +
        '\nExit codes: 0 valid, and every threshold of the profile met · 1 a threshold is missed · 2 wrong usage · 3 not valid, or\nnot to be told · 4 not reachable · 5 k6 is missing · 130 interrupted\nWith --against those of compare: 1 slower than that, 3 it cannot be told\n',
    )
    .action(async (scenario: string | undefined, address: string | undefined, flags) => {
      const { load } = await import('./load.ts');
      await load(scenario, address, flags);
    });
  addMerge(load);
}

function addMerge(load: Command): void {
  load
    .command('merge')
    .description('make one measurement of the samples that many generators wrote')
    .argument('<folder>', 'with plan.json, as --kubernetes wrote it, and the samples of every pod below it')
    .option('-o, --output <folder>', 'where the run file is written', 'touchstone-report')
    .option('-q, --quiet', 'the verdict only')
    .addHelpText('after', examples('touchstone load merge touchstone-report/touchstone-latency-261121102030'))
    .action(async (folder: string, flags) => {
      const { loadMerge } = await import('./merge.ts');
      await loadMerge(folder, flags);
    });
}

export function addTools(root: Command): void {
  const tools = root
    .command('tools')
    .description('show which outside programs were found, and where')
    .addHelpText('after', examples('touchstone tools', 'touchstone tools install k6'))
    .action(async () => {
      const { showTools } = await import('./tools.ts');
      await showTools();
    });
  tools
    .command('install')
    .description('build a tool into the cache, with the Go toolchain of this machine')
    .addArgument(new Argument('<tool>', 'which one').choices(['k6']))
    .action(async () => {
      const { installTool } = await import('./tools.ts');
      await installTool();
    });
}
