/** The commands about what a run is worth to others: waivers, comparison, certificates. */
import { type Command, Option } from 'commander';
import { examples } from './program-parts.ts';
import { milliseconds, words } from './values.ts';

export function addWaive(root: Command): void {
  root
    .command('waive')
    .summary('accept a failure for a while')
    .description('accept a failure for a while: write a waiver with its reason, owner and last day')
    .argument('<rule>', 'the exact identifier of a rule')
    .optionsGroup('The waiver (asked for, if missing):')
    .addOption(new Option('--expectation <verdict>', 'its current verdict').choices(['fail', 'warn', 'untested']))
    .option('--reason <text>', 'why')
    .option('--owner <who>', 'who is responsible for it')
    .option('--issue <address>', 'where it is tracked')
    .option('--expires <day>', 'its last day, such as 2027-01-31')
    .optionsGroup('Where it goes:')
    .option('-w, --waivers <file>', 'the file to write (default: touchstone.waivers.yaml next to the profile)')
    .option('-p, --profile <file>', 'the profile that it belongs to')
    .addHelpText(
      'after',
      examples(
        'touchstone waive run.empty-result',
        'touchstone waive run.empty-result --waivers quick.waivers.yaml',
        "touchstone waive run.empty-result --reason 'an empty list is null until 2.1' --owner @data --expires 2027-01-31",
      ),
    )
    .action(async (rule: string, flags) => {
      const { waive } = await import('./commands/waive.ts');
      await waive(rule, flags);
    });
}

export function addDiff(root: Command): void {
  root
    .command('diff')
    .summary('compare the verdicts of two runs')
    .description(
      'compare two runs: which verdicts changed, and whether the implementation, the profile or the suite changed',
    )
    .argument('<before>', 'a run file')
    .argument('<after>', 'a run file')
    .addOption(
      new Option('-f, --format <format>', 'the format').choices(['console', 'markdown', 'json']).default('console'),
    )
    .addHelpText(
      'after',
      examples(
        'touchstone diff main.jsonl branch.jsonl',
        'touchstone diff main.jsonl branch.jsonl -f markdown',
        'touchstone diff main.jsonl branch.jsonl -f json | jq .',
      ),
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

export const addMatrix = (root: Command): void => named(root, 'compare-implementations', [root, 'matrix'], fillMatrix);

const fillMatrix = (command: Command): Command =>
  command
    .summary('compare implementations, rule by rule')
    .description('compare implementations: rules by runs, what only one fails, and where the specification is silent')
    .argument('<runs...>', 'run files, each with an optional name: acme=acme.jsonl')
    .addOption(
      new Option('-f, --format <format>', 'the format').choices(['console', 'markdown', 'html']).default('console'),
    )
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .addHelpText(
      'after',
      examples(
        'touchstone compare-implementations acme=a.jsonl other=b.jsonl',
        'touchstone compare-implementations acme=a.jsonl other=b.jsonl -f markdown',
        'touchstone compare-implementations runs/*.jsonl -f html -o matrix.html',
      ),
    )
    .action(async (runs: string[], flags) => {
      const { matrix } = await import('./commands/matrix.ts');
      await matrix(runs, flags);
    });

export function addCertify(root: Command): void {
  root
    .command('certify')
    .summary('sign what runs show')
    .description('sign what complete runs show, as a folder that anybody can verify')
    .argument('<runs...>', 'run files of the same implementation')
    .optionsGroup('What is certified:')
    .requiredOption('--subject <name@version>', 'the implementation and its version; name@sha256:… binds a build')
    .option('--digest <sha256>', 'the SHA-256 of the tested build, such as that of its image')
    .addOption(
      new Option('--level <level>', 'how much must have been judged').choices(['core', 'full']).default('core'),
    )
    .option('--rules <version>', 'the frozen version of the rules that judged the runs (default: what they name)')
    .optionsGroup('Who signs:')
    .requiredOption('--key <file>', 'the private key (Ed25519, PEM), as `touchstone certificate new-key` writes it')
    .option('--pipeline', 'name the build that signs: repository, workflow, run, commit')
    .option('--witness <challenge>', 'the challenge that the runs were started with (check --challenge)')
    .optionsGroup('Secrets:')
    .option('-p, --profile <files>', 'the profiles of the runs, for their secrets (repeatable)', words)
    .option('--without-profile', 'do not search for secrets: those of these runs are no longer valid')
    .optionsGroup('Output:')
    .option('-o, --output <folder>', 'a new folder for the certificate', 'touchstone-certificate')
    .addHelpText(
      'after',
      examples(
        'touchstone certify touchstone-report/run.jsonl --key touchstone.key.pem --subject acme-runner@1.4.2',
        'touchstone certify run.jsonl --key k.pem --subject acme-runner@1.4.2 --output acme-1.4.2',
        'touchstone certify a.jsonl b.jsonl --level full --key k.pem --subject acme@sha256:0123…',
      ),
    )
    .action(async (runs: string[], flags) => {
      const { certify } = await import('./commands/certify.ts');
      await certify(runs, flags);
    });
}

/** `certificate verify` and `certificate new-key`, which were `verify` and `keys new`. */
export function addCertificate(root: Command): void {
  const certificate = root
    .command('certificate')
    .summary('verify certificates, make keys and challenges')
    .description('verify a certificate, make a signing key, or make a challenge for a run');
  const keys = root.command('keys', { hidden: true }).description('keys for signing certificates');
  named(certificate, 'verify', [root, 'verify'], fillVerify);
  named(certificate, 'new-key', [keys, 'new'], fillNewKey);
  addChallenge(certificate);
  certificate.addHelpText(
    'after',
    examples(
      'touchstone certificate verify touchstone-certificate',
      'touchstone certificate verify acme --key acme.pub.pem --subject acme@1.4.2',
      'touchstone certificate new-key --output release',
    ),
  );
  keys.addHelpText('after', examples('touchstone keys new'));
}

const addChallenge = (certificate: Command): Command =>
  certificate
    .command('challenge')
    .description('as a verifier: write a signed random challenge, with which a run must be started')
    .argument('<address>', 'the base address that the run must check')
    .requiredOption('--key <file>', "the verifier's private key (Ed25519, PEM)")
    .addOption(
      new Option('--valid <time>', 'how long after now a run may still end')
        .argParser(milliseconds)
        .default(7_200_000, '2h'),
    )
    .option('-o, --output <file>', 'a new file for the challenge', 'challenge.json')
    .addHelpText(
      'after',
      examples(
        'touchstone certificate challenge https://staging.example --key verifier.key.pem',
        'touchstone certificate challenge http://127.0.0.1:8080 --key verifier.key.pem --valid 30m',
        'touchstone certificate challenge http://127.0.0.1:8080 --key verifier.key.pem --output acme.json',
      ),
    )
    .action(async (address: string, flags) => {
      const { challenge } = await import('./commands/challenge.ts');
      challenge(address, flags);
    });

const fillVerify = (command: Command): Command =>
  command
    .description('check a certificate, without network and without the service: signature, files, every verdict')
    .argument('<folder>', 'the folder that `touchstone certify` wrote')
    .option('--key <file>', "the signer's public key, from a source you trust (default: the one in the folder)")
    .option('--subject <name@version>', 'what it must certify')
    .option('--witness-key <file>', 'your public key: the runs must have been started with a challenge of yours')
    .option('--repository <address>', 'the repository that the signing build must name')
    .addHelpText(
      'after',
      examples(
        'touchstone certificate verify touchstone-certificate',
        'touchstone certificate verify touchstone-certificate --key acme.pub.pem',
        'touchstone certificate verify acme --key acme.pub.pem --subject acme@1.4.2',
      ),
    )
    .action(async (folder: string, flags) => {
      const { verify } = await import('./commands/verify.ts');
      await verify(folder, flags);
    });

const fillNewKey = (command: Command): Command =>
  command
    .description('write a new key pair; existing files are never overwritten')
    .option('-o, --output <name>', 'the files are <name>.key.pem and <name>.pub.pem', 'touchstone')
    .addHelpText(
      'after',
      examples(
        'touchstone certificate new-key',
        'touchstone certificate new-key --output release',
        'touchstone certificate new-key --output verifier',
      ),
    )
    .action(async (flags) => {
      const { newKeys } = await import('./commands/keys.ts');
      newKeys(flags);
    });
