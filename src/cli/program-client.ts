/** The commands about programs that call the service. What they do is loaded when they are called. */
import { type Command, Option } from 'commander';
import { examples, format } from './program-parts.ts';
import { milliseconds, whole, words } from './values.ts';

export function addBetween(root: Command): void {
  root
    .command('between')
    .summary('judge a client and a service by the traffic between them')
    .description('stand between a client and a service: record what passes, change nothing, and judge both')
    .argument('[url]', 'the base address of the service')
    .optionsGroup('The service:')
    .option('--reference', 'use the embedded reference service')
    .optionsGroup('Where to listen:')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <port>', 'port; 0 means a free one', whole(0, 65_535), 0)
    .optionsGroup('When to end, besides Ctrl-C:')
    .option('--duration <time>', 'end after this time', milliseconds)
    .option('--until-idle <time>', 'end when nothing has passed for this time, after something has', milliseconds)
    .option(
      '--most <count>',
      'longest record, in calls; more are passed on and not judged',
      whole(1, 1_000_000),
      50_000,
    )
    .optionsGroup('What to judge:')
    .option('--only <globs>', 'judge only by these rules (repeatable)', words)
    .option('--skip <globs>', 'judge by all rules except these (repeatable)', words)
    .option('--same-runs', 'the client repeats runs on purpose: do not judge `client.runs-once`')
    .optionsGroup('What to do to the client:')
    .option(
      '--inject <situations>',
      'let runs meet a situation, at a rate: limited-once=0.2, 502=5%, slow (repeatable; rate if omitted: 0.1)',
      words,
    )
    .option('--seed <number>', 'repeat the random choices of an earlier run', whole(0, 2 ** 32 - 1))
    .optionsGroup('What counts:')
    .option('--strict', 'warnings are violations')
    .option('-w, --waivers <file>', 'accepted failures (default: touchstone.waivers.yaml here)')
    .optionsGroup('Reports:')
    .option('--json', 'print the report as JSON, and nothing else')
    .addOption(format())
    .option('-o, --output <folder>', 'where to write the run and the reports', 'touchstone-report')
    .option('-q, --quiet', 'print only the last lines of the report')
    .option('-v, --verbose', 'print passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone between http://127.0.0.1:8080 --port 9090',
        'touchstone between https://staging.example.com --duration 10m --format console,junit',
        'touchstone between --reference --inject limited-once=0.2 --inject 502=5% --seed 7',
      ) +
        '\nThe client uses the address that is printed as its base address. What the client reports about its runs does not pass through here:\n`touchstone client` judges that.\n',
    )
    .action(async (url: string | undefined, flags) => {
      const { between } = await import('./commands/between.ts');
      await between(url, flags);
    });
}

export function addClient(root: Command): void {
  root
    .command('client')
    .summary('check a program that calls the service')
    .description(
      'check a program that calls the service: start it once per situation, and judge what it sends and says',
    )
    .argument('[command...]', 'after --: the program and its arguments (default: from the profile)')
    .optionsGroup('What to check:')
    .option('-p, --profile <file>', 'the profile with `client` (default: touchstone.yaml here or above)')
    .option('--only <globs>', 'judge only by these rules (repeatable)', words)
    .option('--skip <globs>', 'judge by all rules except these (repeatable)', words)
    .optionsGroup('How to ask:')
    .addOption(
      new Option('--depth <depth>', 'how many situations; thorough: each with every kind of key and connection')
        .choices(['quick', 'standard', 'thorough'])
        .default('standard'),
    )
    .option('--within <time>', 'longest time for one start; overrides the profile', milliseconds)
    .option(
      '--concurrency <count>',
      'simultaneous starts, most of which wait (default: eight for each processor, at most 24)',
      whole(1, 64),
    )
    .option('--seed <number>', 'repeat the keys and words of an earlier run', whole(0, 2 ** 32 - 1))
    .optionsGroup('What counts:')
    .option('--strict', 'warnings are violations')
    .option('-w, --waivers <file>', 'accepted failures (default: touchstone.waivers.yaml next to the profile)')
    .optionsGroup('Reports:')
    .option('--json', 'print the report as JSON, and nothing else')
    .addOption(format())
    .option('-o, --output <folder>', 'where to write the run and the reports', 'touchstone-report')
    .option('-q, --quiet', 'print only the last lines of the report, and no progress')
    .option('-v, --verbose', 'print passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone client -- node my-client.mjs',
        'touchstone client --strict -- python examples/run.py',
        "touchstone client --only 'client.waits-*' -- ./my-client",
        'touchstone client -p touchstone.yaml --format console,junit',
      ) +
        '\nThe program reads BASE_URL, API_KEY, ACTOR and INPUT (JSON; INPUT_FILE names a file with the same), runs the actor once, and\nreports the result: a JSON line {"outcome":"complete" | "partial" | "failed"}, or exit code 0, 2, 1. `client` in a profile\nchanges that.\n',
    )
    .action(async (command: string[], flags) => {
      const { client } = await import('./commands/client.ts');
      await client(command, flags);
    });
}
