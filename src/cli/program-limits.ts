/** `touchstone limits` and its options. */
import type { Command } from 'commander';
import { examples, format, formerly, target } from './program-parts.ts';
import { milliseconds, whole, words } from './values.ts';

export function addLimits(root: Command): void {
  const limits = root
    .command('limits')
    .summary('find rate limits and check the rules about them')
    .description('find whose rate limits exist, of what kind and how high, and check every rule about them')
    .argument('[address...]', 'the base address (default: from the profile); with --target, after --: what to start')
    .optionsGroup('What to probe:')
    .option('-p, --profile <file>', 'the profile (default: touchstone.yaml here or above)')
    .addOption(target())
    .option('--reference', 'probe the embedded reference service')
    .option('--allow-remote-limits', 'probe a service on another machine; the profile must allow it too')
    .option('--only <globs>', 'ask only these rules of the areas limit and address (repeatable)', words)
    .option('--skip <globs>', 'ask all of them except these (repeatable)', words)
    .optionsGroup('How far:')
    .option('--max-requests <count>', 'the most calls to spend; overrides the profile', whole(1, 10_000_000))
    .option('--budget <time>', 'the longest time to spend; says first which rules it is enough for', milliseconds)
    .option('--quick', 'find only whose limits exist and whether they hold; no kinds and no rates')
    .option('--trials <count>', 'how many Retry-After waits to test', whole(1, 1000))
    .option('--timeout <time>', 'for one exchange; overrides the profile', milliseconds)
    .option('--seed <number>', 'repeat the choices of an earlier run', whole(0, 2 ** 32 - 1))
    .optionsGroup('What counts:')
    .option('--strict', 'warnings are violations')
    .option('-w, --waivers <file>', 'accepted failures (default: touchstone.waivers.yaml next to the profile)')
    .optionsGroup('Reports:')
    .option('--explain', 'show how each number was found')
    .addOption(format())
    .option('-o, --output <folder>', 'where to write the run and the reports', 'touchstone-report')
    .option('-q, --quiet', 'print only the last lines of the report, and no progress')
    .option('-v, --verbose', 'print passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone limits --reference --explain',
        'touchstone limits http://127.0.0.1:8080 --quick',
        'touchstone limits -p staging.yaml --max-requests 2000 --budget 3m',
      ),
    )
    .action(async (given: string[], flags) => {
      const { limits } = await import('./commands/limits.ts');
      await limits(given, flags);
    });
  formerly(limits, '--yes-probe-limits', 'allowRemoteLimits');
  formerly(limits, '--max-seconds <count>', 'budget', (text) => 1000 * whole(1, 86_400)(text));
}
