/** `touchstone limits` and its options. */
import type { Command } from 'commander';
import { examples, format, target } from './program-parts.ts';
import { milliseconds, whole } from './values.ts';

export function addLimits(root: Command): void {
  root
    .command('limits')
    .description('find out whose limits there are, of what kind and how high, and whether they keep their promises')
    .argument(
      '[address...]',
      'the base address; left out, the profile says it. With --target, after --: what is started',
    )
    .option('-p, --profile <file>', 'the profile; left out, touchstone.yaml here or above')
    .addOption(target())
    .option('--reference', 'look at the embedded reference service')
    .option('--max-requests <count>', 'so many calls at most; wins over the profile', whole(1, 10_000_000))
    .option('--max-seconds <count>', 'so long at most; wins over the profile', whole(1, 86_400))
    .option('--quick', 'whose limits there are and whether they hold; no kinds and no rates')
    .option('--trials <count>', 'how often a wait that was told is waited out', whole(1, 1000))
    .option('--yes-probe-limits', 'confirms that a service that is not on this machine may be probed')
    .option('--explain', 'tell how each number was found')
    .option('--timeout <time>', 'for one exchange; wins over the profile', milliseconds)
    .option('--seed <number>', 'repeats the choices of an earlier run', whole(0, 2 ** 32 - 1))
    .option('--strict', 'warnings are violations')
    .option('-w, --waivers <file>', 'what is put up with; left out, touchstone.waivers.yaml beside the profile')
    .addOption(format())
    .option('-o, --output <folder>', 'where the run and the reports are written', 'touchstone-report')
    .option('-q, --quiet', 'the last lines of the report only, and no progress')
    .option('-v, --verbose', 'passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone limits --reference --explain',
        'touchstone limits http://127.0.0.1:8080 --quick',
        'touchstone limits -p staging.yaml --max-requests 2000 --max-seconds 120',
      ),
    )
    .action(async (words: string[], flags) => {
      const { limits } = await import('./commands/limits.ts');
      await limits(words, flags);
    });
}
