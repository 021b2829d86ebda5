/** The commands of the first five minutes. What they do is loaded when they are called. */
import { Argument, type Command, Option } from 'commander';
import { pipelines } from '../init/files.ts';
import { examples } from './program-parts.ts';
import { variableName, words } from './values.ts';

export function addInit(root: Command): void {
  root
    .command('init')
    .summary('look at a service and write a first profile')
    .description('look at a service and write a first profile; it only reads, and runs an actor only if you agree')
    .argument('<address>', 'the base address of the service')
    .option('-y, --yes', 'ask nothing; runs no actor either, unless you pass --run')
    .option('--actor <names>', 'actors that the key may run (repeatable)', words)
    .option('--run', 'run them a few times, to see which roles they can play')
    .option('--key-env <name>', 'the environment variable that holds the key', variableName, 'TOUCHSTONE_API_KEY')
    .addOption(new Option('--pipeline <kind>', 'also write a pipeline file').choices([...pipelines]))
    .option('--package <what>', 'what npm installs in that pipeline (default: the tarball that npm pack writes)')
    .addHelpText(
      'after',
      examples(
        'read -rs TOUCHSTONE_API_KEY && export TOUCHSTONE_API_KEY',
        'touchstone init http://127.0.0.1:8080',
        'touchstone init http://127.0.0.1:8080 --yes --actor text-digest --run --pipeline github',
      ),
    )
    .action(async (address: string, flags) => {
      const { init } = await import('./commands/init.ts');
      await init(address, flags);
    });
}

export function addDoctor(root: Command): void {
  root
    .command('doctor')
    .summary('show what can be tested, and what would unlock the rest')
    .description('show what prevents a check, what it would test, and the lines that would unlock the rest')
    .argument('[address]', 'the base address (default: from the profile)')
    .option('-p, --profile <file>', 'the profile (default: touchstone.yaml here or above)')
    .option('--json', 'print JSON')
    .option('-v, --verbose', 'name each rule that a line would unlock')
    .addHelpText(
      'after',
      examples(
        'touchstone doctor',
        'touchstone doctor -p staging.yaml',
        'touchstone doctor http://127.0.0.1:8080 --json',
      ),
    )
    .action(async (address: string | undefined, flags) => {
      const { doctor } = await import('./commands/doctor.ts');
      await doctor(address, flags);
    });
}

export function addClean(root: Command): void {
  root
    .command('clean')
    .summary('remove keys that an interrupted run left')
    .description('remove the keys that an interrupted run left in a service')
    .argument('[address]', 'the base address of the service (default: from the profile)')
    .option('-p, --profile <file>', 'the profile (default: touchstone.yaml here or above)')
    .option('-o, --output <folder>', 'the folder of the run, or one created.jsonl', 'touchstone-report')
    .addHelpText(
      'after',
      examples(
        'touchstone clean',
        'touchstone clean -p staging.yaml',
        'touchstone clean http://127.0.0.1:8080 -p staging.yaml --output touchstone-report',
      ) +
        '\nExit codes: 0 nothing is left · 2 wrong usage or profile · 3 something could not be removed · 4 not reachable\n',
    )
    .action(async (address: string | undefined, flags) => {
      const { clean } = await import('./commands/clean.ts');
      await clean(address, flags);
    });
}

export function addCompletion(root: Command): void {
  root
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description('print a script that completes commands, options and rules in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      examples(
        'source <(touchstone completion bash)',
        'source <(touchstone completion zsh)',
        'touchstone completion fish > ~/.config/fish/completions/touchstone.fish',
      ),
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completion } = await import('./commands/completion.ts');
      completion(shell, root);
    });
}
