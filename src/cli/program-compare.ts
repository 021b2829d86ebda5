/** `touchstone compare`, and its options. */
import type { Command } from 'commander';
import { examples } from './program-parts.ts';
import { percent } from './values.ts';

export function addCompare(root: Command): void {
  root
    .command('compare')
    .summary('compare measurements of load')
    .description('compare runs of load: faster, slower, the same, or cannot tell')
    .argument('<sides...>', 'run files, or folders of them; the first is the base')
    .option(
      '--within <percent>',
      'the difference that matters (default: 5 % of p50 and rates, 10 % of p95 and p99)',
      percent,
    )
    .option('--accept-cannot-tell', 'exit with 0 instead of 3 if the answer is cannot tell')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'touchstone compare base.jsonl now.jsonl',
        'touchstone compare runs/1.4 runs/1.5 --within 3',
        'touchstone compare runs/1.4 runs/1.5 --json | jq .',
      ) +
        '\nThe unit is a run; fewer than five a side decide nothing.\nExit codes: 0 faster or the same · 1 slower · 2 not comparable · 3 cannot tell\n',
    )
    .action(async (sides: string[], flags) => {
      const { compare } = await import('./commands/compare.ts');
      compare(sides, flags);
    });
}
