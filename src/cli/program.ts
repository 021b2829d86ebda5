/** The commands and their options. What they do is loaded when they are called. */
import { Command, Option } from 'commander';
import { version } from '../version.ts';
import { addLoad, addTools } from './load/program.ts';
import { out, sayOver } from './output.ts';
import { addCertificate, addCertify, addDiff, addMatrix, addWaive } from './program-certificate.ts';
import { addBetween, addClient } from './program-client.ts';
import { addCompare } from './program-compare.ts';
import { addClean, addCompletion, addDoctor, addInit } from './program-first.ts';
import { addLimits } from './program-limits.ts';
import { examples, format, formerly, target } from './program-parts.ts';
import { milliseconds, patience, whole, words } from './values.ts';

export function program(): Command {
  const root = new Command('touchstone')
    .description('Checks whether a service implements the Actor Execution Service Interface as its specification says.')
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
  for (const [heading, commands] of groups) {
    root.commandsGroup(heading);
    for (const add of commands) add(root);
  }
  root.helpCommand('help [command]', 'print the help of a command');
  // Commands inherit nothing by themselves once they are made, so every one is configured here.
  for (const command of [root, ...root.commands, ...root.commands.flatMap(({ commands }) => commands)]) {
    command
      .exitOverride()
      .showHelpAfterError(
        `Next: \`${command === root ? '' : 'touchstone '}${command.name()} --help\` lists its arguments and options. [command-line]`,
      )
      .configureOutput({ writeOut: out, writeErr: sayOver });
  }
  return root;
}

const groups: readonly (readonly [string, readonly ((root: Command) => void)[]])[] = [
  ['First steps:', [addInit, addDoctor, addServe]],
  ['Check:', [addCheck, addLimits, addClient, addBetween]],
  ['Understand a result:', [addExplain, addReport, addDiff, addMatrix, addJudge, addWaive]],
  ['Measure load:', [addLoad, addCompare]],
  ['Certificates:', [addCertify, addCertificate]],
  ['Rules:', [addRules, addClauses]],
  ['Housekeeping:', [addClean, addTools, addCompletion]],
];

const ruleSet = (): Option =>
  new Option('--rules <version>', 'a frozen version of the rule set (default: the current rules)');

const depth = (): Option =>
  new Option('--depth <depth>', 'how many contexts each rule is asked in')
    .choices(['quick', 'standard', 'thorough'])
    .default('standard');

function addCheck(root: Command): void {
  const check = root
    .command('check')
    .summary('check a service against every rule')
    .description('check a service against every rule and report the verdicts')
    .argument('[address...]', 'the base address (default: from the profile); with --target, after --: what to start')
    .optionsGroup('What to check:')
    .option('-p, --profile <file>', 'the profile (default: touchstone.yaml here or above)')
    .addOption(target())
    .option('--reference', 'check the embedded reference service')
    .option('--only <globs>', 'ask only these rules: identifiers, areas, globs (repeatable)', words)
    .option('--skip <globs>', 'ask all rules except these (repeatable)', words)
    .addOption(ruleSet())
    .optionsGroup('How to ask:')
    .addOption(depth())
    .option('--repeat <times>', 'ask every rule this many times, to catch intermittent faults', whole(1, 1000))
    .option('--seed <number>', 'repeat the order and the choices of an earlier run', whole(0, 2 ** 32 - 1))
    .option('--challenge <file>', "a verifier's challenge, which gives the seed and every nonce")
    .option('--timeout <time>', 'for one exchange; overrides the profile', milliseconds)
    .option('--concurrency <count>', 'simultaneous requests; overrides the profile', whole(1, 256))
    .option('--max-wait <time>', 'how long 429s may delay the run before it skips contexts', patience)
    .option('--max-duration <time>', 'for the whole run; rules not asked by then get no verdict', milliseconds)
    .option('--allow-remote-limits', 'probe the limits of a service on another machine')
    .optionsGroup('What counts:')
    .option('--strict', 'warnings are violations')
    .option('--bail', 'stop at the first violation')
    .option('-w, --waivers <file>', 'accepted failures (default: touchstone.waivers.yaml next to the profile)')
    .optionsGroup('Reports:')
    .addOption(format())
    .option('-o, --output <folder>', 'where to write the run and the reports', 'touchstone-report')
    .option('-q, --quiet', 'print only the last lines of the report, and no progress')
    .option('-v, --verbose', 'print passes and observed facts too')
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
  formerly(check, '--yes-probe-limits', 'allowRemoteLimits');
}

function addJudge(root: Command): void {
  root
    .command('judge')
    .summary('derive every verdict of a stored run again')
    .description('derive every verdict of a stored run again, and report differences')
    .argument('<run>', 'a run file, such as touchstone-report/run.jsonl')
    .addOption(ruleSet())
    .option('-v, --verbose', 'print the whole report, not only its last lines')
    .addHelpText(
      'after',
      examples(
        'touchstone judge touchstone-report/run.jsonl',
        'touchstone judge main.jsonl --verbose',
        'touchstone judge artifacts/run.jsonl || echo "the file and its exchanges disagree"',
      ),
    )
    .action(async (path: string, flags) => {
      const { judge } = await import('./commands/judge.ts');
      judge(path, flags, await (await import('../../reports/index.ts')).formats.console.load());
    });
}

function addReport(root: Command): void {
  root
    .command('report')
    .summary('write reports of a stored run')
    .description('write reports of a stored run, even of one that was interrupted')
    .argument('<run>', 'a run file')
    .addOption(format())
    .option('-o, --output <folder>', 'where to write reports that have no file of their own', 'touchstone-report')
    .option('-q, --quiet', 'print only the last lines')
    .option('-v, --verbose', 'print passes and observed facts too')
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
    .summary('list the clauses of the specification')
    .description('list every clause of the specification with its rules, and whether they were asked and are proven')
    .argument('[run]', 'a run file; shows which clauses it exercised')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'touchstone clauses',
        'touchstone clauses touchstone-report/run.jsonl',
        'touchstone clauses touchstone-report/run.jsonl --json | jq length',
      ),
    )
    .action(async (path: string | undefined, flags) => {
      const { clauses } = await import('./commands/clauses.ts');
      clauses(path, flags);
    });
}

function addRules(root: Command): void {
  root
    .command('rules')
    .description('list the rules')
    .option('--area <areas>', 'only these areas', words)
    .addOption(new Option('--level <level>', 'only this level').choices(['required', 'expected', 'observed']))
    .option('--provisional', 'only rules that do not count until the next rule set')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('touchstone rules', 'touchstone rules --area auth,access', 'touchstone rules --level required --json'),
    )
    .action(async (flags) => {
      const { rules } = await import('./commands/rules.ts');
      rules(flags);
    });
}

function addExplain(root: Command): void {
  root
    .command('explain')
    .summary('explain a rule, and how to fix what it finds')
    .description('explain what a rule asks, what a failure means, and how to fix it')
    .argument('<rule>', 'its identifier')
    .addHelpText(
      'after',
      examples(
        'touchstone explain run.success-shape',
        'touchstone explain auth.run-with-invalid-key',
        'touchstone explain limit.retry-after-present',
      ),
    )
    .action(async (rule: string) => {
      const { explain } = await import('./commands/explain.ts');
      explain(rule);
    });
}

function addServe(root: Command): void {
  root
    .command('serve')
    .summary('run the reference service')
    .description('run the reference service')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port; 0 for any free one', whole(0, 65_535), 8080)
    .option('--no-limits', 'accept every call; for load')
    .option('--database <file>', 'keep the keys in a SQLite file (hashes only)')
    .addHelpText(
      'after',
      examples(
        'touchstone serve',
        'touchstone serve --port 0 --no-limits',
        'TOUCHSTONE_ADMIN_TOKEN=… touchstone serve --port 9000 --database keys.sqlite',
      ) +
        '\nKeys: TOUCHSTONE_API_KEY, TOUCHSTONE_TEST_KEY, TOUCHSTONE_RESTRICTED_KEY. Without them, the service makes demonstration\nkeys and prints them once. TOUCHSTONE_ADMIN_TOKEN enables the admin interface.\n',
    )
    .action(async (flags) => {
      const { serve } = await import('./commands/serve.ts');
      await serve(flags);
    });
}
