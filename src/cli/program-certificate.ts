/** The commands about what a run is worth to others: waivers, comparison, certificates. */
import { type Command, Option } from 'commander';
import { examples } from './program-parts.ts';
import { words } from './values.ts';

function addWaive(root: Command): void {
  root
    .command('waive')
    .description('put up with a failure for a while: writes a waiver, with its reason, its owner and its end')
    .argument('<rule>', 'the exact identifier of a rule')
    .addOption(
      new Option('--expectation <verdict>', 'the verdict that it has now').choices(['fail', 'warn', 'untested']),
    )
    .option('--reason <text>', 'why')
    .option('--owner <who>', 'who answers for it')
    .option('--issue <address>', 'where it is followed up')
    .option('--expires <day>', 'the last day on which it holds, such as 2027-01-31')
    .option('-w, --waivers <file>', 'where it is written; left out, touchstone.waivers.yaml beside the profile')
    .option('-p, --profile <file>', 'the profile that it stands beside')
    .addHelpText(
      'after',
      examples(
        'touchstone waive run.empty-result',
        "touchstone waive run.empty-result --reason 'an empty list is null until 2.1' --owner @data --expires 2027-01-31",
      ),
    )
    .action(async (rule: string, flags) => {
      const { waive } = await import('./commands/waive.ts');
      await waive(rule, flags);
    });
}

function addDiff(root: Command): void {
  root
    .command('diff')
    .description('two runs: which verdicts changed, and whether implementation, profile or suite did')
    .argument('<before>', 'a run file')
    .argument('<after>', 'a run file')
    .addOption(
      new Option('-f, --format <format>', 'how it is written')
        .choices(['console', 'markdown', 'json'])
        .default('console'),
    )
    .addHelpText(
      'after',
      examples('touchstone diff main.jsonl branch.jsonl', 'touchstone diff a.jsonl b.jsonl -f markdown'),
    )
    .action(async (before: string, after: string, flags) => {
      const { diff } = await import('./commands/diff.ts');
      await diff(before, after, flags);
    });
}

/** What a command is called, and what it was called before: the old name works, and no help shows it. */
function named(parent: Command, name: string, before: readonly [Command, string], fill: (command: Command) => Command) {
  fill(parent.command(name));
  fill(before[0].command(before[1], { hidden: true }));
}

const addMatrix = (root: Command): void => named(root, 'compare-implementations', [root, 'matrix'], fillMatrix);

const fillMatrix = (command: Command): Command =>
  command
    .description('many implementations: rules by runs, what only one fails, and where the specification is silent')
    .argument('<runs...>', 'run files, each with a name in front if wanted: acme=acme.jsonl')
    .addOption(
      new Option('-f, --format <format>', 'how it is written')
        .choices(['console', 'markdown', 'html'])
        .default('console'),
    )
    .option('-o, --output <file>', 'where it is written; left out, standard output')
    .addHelpText(
      'after',
      examples(
        'touchstone compare-implementations acme=a.jsonl other=b.jsonl',
        'touchstone compare-implementations runs/*.jsonl -f html -o matrix.html',
      ),
    )
    .action(async (runs: string[], flags) => {
      const { matrix } = await import('./commands/matrix.ts');
      await matrix(runs, flags);
    });

function addCertify(root: Command): void {
  root
    .command('certify')
    .description('sign what complete runs show, as a folder that anybody can check')
    .argument('<runs...>', 'run files of the same implementation')
    .requiredOption('--subject <name@version>', 'the implementation and its version; name@sha256:… binds a build')
    .requiredOption('--key <file>', 'the private key (Ed25519, PEM), as `touchstone certificate new-key` writes it')
    .addOption(new Option('--level <level>', 'what must have been judged').choices(['core', 'full']).default('core'))
    .option('--digest <sha256>', 'the SHA-256 of the build that was tested, such as that of its image')
    .option('-p, --profile <files>', 'the profiles of the runs, for their secrets (repeatable)', words)
    .option('--rules <version>', 'the frozen version of the rules that judged the runs; left out, what they name')
    .option('--without-profile', 'the secrets of these runs are worth nothing any more: look for none of them')
    .option('-o, --output <folder>', 'a new folder for the certificate', 'touchstone-certificate')
    .addHelpText(
      'after',
      examples(
        'touchstone certify touchstone-report/run.jsonl --key touchstone.key.pem --subject acme-runner@1.4.2',
        'touchstone certify a.jsonl b.jsonl --level full --key k.pem --subject acme@sha256:0123…',
      ),
    )
    .action(async (runs: string[], flags) => {
      const { certify } = await import('./commands/certify.ts');
      await certify(runs, flags);
    });
}

/** `certificate verify` and `certificate new-key`, which were `verify` and `keys new`. */
function addCertificate(root: Command): void {
  const certificate = root.command('certificate').description('check a certificate, or make a key for signing them');
  const keys = root.command('keys', { hidden: true }).description('keys for signing certificates');
  named(certificate, 'verify', [root, 'verify'], fillVerify);
  named(certificate, 'new-key', [keys, 'new'], fillNewKey);
  certificate.addHelpText(
    'after',
    examples('touchstone certificate verify touchstone-certificate', 'touchstone certificate new-key --output release'),
  );
  keys.addHelpText('after', examples('touchstone keys new'));
}

const fillVerify = (command: Command): Command =>
  command
    .description('check a certificate, without network and without the service: signature, files, every verdict')
    .argument('<folder>', 'the folder that `touchstone certify` wrote')
    .option('--key <file>', "the signer's public key, from where you trust it; left out, the one in the folder")
    .option('--subject <name@version>', 'what it must be about')
    .addHelpText(
      'after',
      examples(
        'touchstone certificate verify touchstone-certificate',
        'touchstone certificate verify acme --key acme.pub.pem --subject acme@1.4.2',
      ),
    )
    .action(async (folder: string, flags) => {
      const { verify } = await import('./commands/verify.ts');
      await verify(folder, flags);
    });

const fillNewKey = (command: Command): Command =>
  command
    .description('write a new key pair; what is there already is never written over')
    .option('-o, --output <name>', 'the files are <name>.key.pem and <name>.pub.pem', 'touchstone')
    .addHelpText('after', examples('touchstone certificate new-key --output release'))
    .action(async (flags) => {
      const { newKeys } = await import('./commands/keys.ts');
      newKeys(flags);
    });

export const certificateCommands = [addWaive, addDiff, addMatrix, addCertify, addCertificate];
