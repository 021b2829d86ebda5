/** `touchstone compare`, and its options. */
import type { Command } from 'commander';
import { examples } from './program-parts.ts';
import { percent } from './values.ts';

export function addCompare(root: Command): void {
  root
    .command('compare')
    .description('hold runs of load against others: faster, slower, the same, or it cannot be told')
    .argument('<sides...>', 'run files, or folders of them; the first is the base')
    .option(
      '--within <percent>',
      'what difference matters; left out, 5 % of p50 and rates, 10 % of p95 and p99',
      percent,
    )
    .option('--accept-cannot-tell', 'exit with 0 where it cannot be told')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples('touchstone compare base.jsonl now.jsonl', 'touchstone compare runs/1.4 runs/1.5 --within 3') +
        '\nThe unit is a run, and five on each side are the least that can tell anything.\nExit codes: 0 faster or the same · 1 slower · 2 not comparable · 3 it cannot be told\n',
    )
    .action(async (sides: string[], flags) => {
      const { compare } = await import('./commands/compare.ts');
      compare(sides, flags);
    });
}
