/** The commands about programs that call the service. What they do is loaded when they are called. */
import { type Command, Option } from 'commander';
import { examples, format } from './program-parts.ts';
import { milliseconds, whole, words } from './values.ts';

export function addClient(root: Command): void {
  root
    .command('client')
    .description('start a program that calls the service, once a question, and judge what it sends and what it says')
    .argument('[command...]', 'after --: the program and its arguments; left out, the profile says it')
    .option(
      '-p, --profile <file>',
      'the profile with `client`; left out and without a command, touchstone.yaml here or above',
    )
    .option('-w, --waivers <file>', 'what is put up with; left out, touchstone.waivers.yaml beside the profile')
    .option('--only <globs>', 'judge by these rules only (repeatable)', words)
    .option('--skip <globs>', 'judge by all rules but these (repeatable)', words)
    .addOption(
      new Option('--depth <depth>', 'how many situations; thorough: each with every kind of key and connection')
        .choices(['quick', 'standard', 'thorough'])
        .default('standard'),
    )
    .option('--within <time>', 'the longest that it may take for one question; wins over the profile', milliseconds)
    .option(
      '--concurrency <count>',
      'so many starts side by side (default: four for each processor, at most 12)',
      whole(1, 64),
    )
    .option('--seed <number>', 'repeats the keys and words of an earlier run', whole(0, 2 ** 32 - 1))
    .option('--strict', 'warnings are violations')
    .option('--json', 'for programs: the report as JSON on standard output, and nothing else')
    .addOption(format())
    .option('-o, --output <folder>', 'where the run and the reports are written', 'touchstone-report')
    .option('-q, --quiet', 'the last lines of the report only, and no progress')
    .option('-v, --verbose', 'passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone client -- node my-client.mjs',
        'touchstone client --strict -- python examples/run.py',
        "touchstone client --only 'client.waits-*' -- ./my-client",
        'touchstone client -p touchstone.yaml --format console,junit',
      ) +
        '\nThe program finds what to do in BASE_URL, API_KEY, ACTOR and INPUT (JSON; INPUT_FILE holds the same), calls once, and tells\nwhat became of it: a JSON line {"outcome":"complete" | "partial" | "failed"}, or exit code 0, 2, 1. `client` in a profile says it otherwise.\n',
    )
    .action(async (command: string[], flags) => {
      const { client } = await import('./commands/client.ts');
      await client(command, flags);
    });
}
