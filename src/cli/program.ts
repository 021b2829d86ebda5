/** The commands and their options. What they do is loaded when they are called. */
import { Command, Option } from 'commander';
import { version } from '../version.ts';
import { out, sayOver } from './output.ts';
import { certificateCommands } from './program-certificate.ts';
import { addClient } from './program-client.ts';
import { addCompare } from './program-compare.ts';
import { addClean, addCompletion, addDoctor, addInit } from './program-first.ts';
import { addLimits } from './program-limits.ts';
import { addLoad, addTools } from './program-load.ts';
import { examples, format, target } from './program-parts.ts';
import { milliseconds, patience, whole, words } from './values.ts';

export function program(): Command {
  const root = new Command('touchstone')
    .description(
      'Tells whether an implementation of the Actor Execution Service Interface does what the specification says.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      examples(
        'touchstone check --reference                    try it on the embedded service',
        'touchstone check http://127.0.0.1:8080          with the key in TOUCHSTONE_API_KEY',
        'touchstone check --profile touchstone.yaml --format console,junit',
        'touchstone explain run.success-shape',
      ) +
        '\nExit codes: 0 conforms, as far as tested · 1 violation · 2 wrong usage or profile · 3 incomplete ·\n4 not reachable · 5 a tool is missing · 130 interrupted\n',
    );
  for (const add of [
    addInit,
    addDoctor,
    addCheck,
    addClient,
    addLimits,
    addLoad,
    addCompare,
    addJudge,
    addReport,
    addClauses,
    addRules,
    addExplain,
    addServe,
    ...certificateCommands,
    addTools,
    addClean,
    addCompletion,
  ])
    add(root);
  // Commands inherit nothing by themselves once they are made, so all are told here.
  for (const command of [root, ...root.commands, ...root.commands.flatMap(({ commands }) => commands)]) {
    command
      .exitOverride()
      .showHelpAfterError(
        `Next: \`${command === root ? '' : 'touchstone '}${command.name()} --help\` shows what it takes. [command-line]`,
      )
      .configureOutput({ writeOut: out, writeErr: sayOver });
  }
  return root;
}

const depth = (): Option =>
  new Option('--depth <depth>', 'in how many contexts each rule is asked')
    .choices(['quick', 'standard', 'thorough'])
    .default('standard');

function addCheck(root: Command): void {
  root
    .command('check')
    .description('ask a service by every rule, and report what came of it')
    .argument(
      '[address...]',
      'the base address; left out, the profile says it. With --target, after --: what is started',
    )
    .option('-p, --profile <file>', 'the profile; left out, touchstone.yaml here or above')
    .option('-w, --waivers <file>', 'what is put up with; left out, touchstone.waivers.yaml beside the profile')
    .addOption(target())
    .option('--reference', 'check the embedded reference service')
    .option('--only <globs>', 'ask these rules only: identifiers, areas, globs (repeatable)', words)
    .option('--skip <globs>', 'ask all rules but these (repeatable)', words)
    .addOption(depth())
    .option('--max-wait <time>', 'how long the run may be made to wait by 429s before contexts are left out', patience)
    .option('--timeout <time>', 'for one exchange; wins over the profile', milliseconds)
    .option('--concurrency <count>', 'requests at once; wins over the profile', whole(1, 256))
    .option('--seed <number>', 'repeats the order and the choices of an earlier run', whole(0, 2 ** 32 - 1))
    .option('--repeat <times>', 'asks everything so often, for what shows only sometimes', whole(1, 1000))
    .option('--strict', 'warnings are violations')
    .option('--bail', 'stop asking at the first violation')
    .option('--yes-probe-limits', 'confirms that the limits of a service elsewhere may be looked for')
    .addOption(format())
    .option('-o, --output <folder>', 'where the run and the reports are written', 'touchstone-report')
    .option('-q, --quiet', 'the last lines of the report only, and no progress')
    .option('-v, --verbose', 'passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone check http://127.0.0.1:8080 --depth quick',
        "touchstone check --only 'auth,access' --skip access.restricted-read",
        "touchstone check --target command -- ./my-service --port '{port}'",
        'touchstone check -p staging.yaml --strict --format console --format junit=results.xml',
        'touchstone check --reference --format json=- --quiet | jq .outcome',
      ),
    )
    .action(async (words: string[], flags) => {
      const { check } = await import('./commands/check.ts');
      await check(words, flags);
    });
}

function addJudge(root: Command): void {
  root
    .command('judge')
    .description('derive every verdict of a written run again, and say where it differs')
    .argument('<run>', 'a run file, such as touchstone-report/run.jsonl')
    .option('-v, --verbose', 'the whole report, not its last lines only')
    .addHelpText('after', examples('touchstone judge touchstone-report/run.jsonl'))
    .action(async (path: string, flags) => {
      const { judge } = await import('./commands/judge.ts');
      judge(path, flags, await (await import('../../reports/index.ts')).formats.console.load());
    });
}

function addReport(root: Command): void {
  root
    .command('report')
    .description('write the reports of a run again; also of one that was cut off')
    .argument('<run>', 'a run file')
    .addOption(format())
    .option('-o, --output <folder>', 'where reports without a file of their own are written', 'touchstone-report')
    .option('-q, --quiet', 'the last lines only')
    .option('-v, --verbose', 'passes and observed facts too')
    .addHelpText(
      'after',
      examples(
        'touchstone report touchstone-report/run.jsonl --verbose',
        'touchstone report run.jsonl --format html,markdown',
        'touchstone report run.jsonl --format junit=-',
      ),
    )
    .action(async (path: string, flags) => {
      const { report } = await import('./commands/report.ts');
      await report(path, flags);
    });
}

function addClauses(root: Command): void {
  root
    .command('clauses')
    .description('every clause of the specification: its rules, whether they were asked, whether they are proven')
    .argument('[run]', 'a run file: says which clauses it exercised')
    .option('--json', 'for programs')
    .addHelpText('after', examples('touchstone clauses', 'touchstone clauses touchstone-report/run.jsonl --json'))
    .action(async (path: string | undefined, flags) => {
      const { clauses } = await import('./commands/clauses.ts');
      clauses(path, flags);
    });
}

function addRules(root: Command): void {
  root
    .command('rules')
    .description('list the rules')
    .option('--area <areas>', 'of these areas only', words)
    .addOption(new Option('--level <level>', 'of this level only').choices(['required', 'expected', 'observed']))
    .option('--json', 'for programs')
    .addHelpText('after', examples('touchstone rules --area auth', 'touchstone rules --level required --json'))
    .action(async (flags) => {
      const { rules } = await import('./commands/rules.ts');
      rules(flags);
    });
}

function addExplain(root: Command): void {
  root
    .command('explain')
    .description('what a rule asks, what a failure means, and how to mend it')
    .argument('<rule>', 'its identifier')
    .addHelpText('after', examples('touchstone explain run.success-shape'))
    .action(async (rule: string) => {
      const { explain } = await import('./commands/explain.ts');
      explain(rule);
    });
}

function addServe(root: Command): void {
  root
    .command('serve')
    .description('run the reference service')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'its port; 0 for any free one', whole(0, 65_535), 8080)
    .option('--no-limits', 'admits everything: for load')
    .option('--database <file>', 'keeps the keys in a SQLite file (hashes only)')
    .addHelpText(
      'after',
      examples('touchstone serve', 'TOUCHSTONE_ADMIN_TOKEN=… touchstone serve --port 9000 --database keys.sqlite') +
        '\nKeys: TOUCHSTONE_API_KEY, TOUCHSTONE_TEST_KEY, TOUCHSTONE_RESTRICTED_KEY; without them, demonstration keys are made\nand printed once. TOUCHSTONE_ADMIN_TOKEN opens the admin interface.\n',
    )
    .action(async (flags) => {
      const { serve } = await import('./commands/serve.ts');
      await serve(flags);
    });
}
