/**
 * Every mistake that a person can fix, by a code that never changes: one sentence that says what it is, and one next step.
 * docs/errors.md is made from this table; code that throws one of these names its row.
 */

export interface Mistake {
  readonly says: string;
  readonly next: string;
  /** As `exitCodes` calls it. */
  readonly exit: 'usage' | 'incomplete' | 'unreachable' | 'toolMissing';
}

const usage = (says: string, next: string): Mistake => ({ says, next, exit: 'usage' });
const incomplete = (says: string, next: string): Mistake => ({ says, next, exit: 'incomplete' });

const otherRunFile = 'Use the file as the run wrote it, or check again to get a new one.';

export const mistakes = {
  'command-line': usage(
    'Touchstone does not know this command, option or argument.',
    'Add `--help` to the command to list its arguments and options.',
  ),
  'unknown-rule': usage('No rule or area has this name or matches this glob.', '`touchstone rules` lists all rules.'),
  'unknown-rule-set': usage(
    'This version of the rule set is unknown, or no longer kept.',
    'Name one of the last three versions, or omit `--rules`.',
  ),
  'nothing-selected': usage(
    'These options together select no rule.',
    'Drop `--only` or `--skip`, or widen one of them.',
  ),
  'unknown-format': usage(
    'The report format is unknown, or its file has no name.',
    'Write `--format console,json,junit`; add `=file` or `=-` to a format to choose where it goes.',
  ),
  'formats-collide': usage(
    'Two reports would be written to the same place.',
    'Give each report its own file: `--format junit=results.xml`.',
  ),
  'two-targets': usage('There is more than one target.', 'Keep one of the address, the profile and `--reference`.'),
  'limits-elsewhere': usage(
    'Touchstone probes the limits of a service on another machine only if both the profile and the command line allow it.',
    'Put `limits: { allow: true }` into the profile, and add `--allow-remote-limits`.',
  ),
  'wrong-key': usage(
    'The API key in the environment is malformed.',
    'Keys begin with `vk_live_` or `vk_test_` and contain no spaces: set the variable again.',
  ),
  'unusable-database': usage(
    'The reference service cannot use this database.',
    'Name another file with `--database`, or omit the option to keep keys in memory.',
  ),
  'cannot-listen': usage(
    'Touchstone cannot listen on this port.',
    'Choose another port, or 0 for any free one; `sources.port` sets that of the source server.',
  ),
  'cannot-write': usage(
    'Touchstone cannot write a file or folder there.',
    'Choose another place with `--output`, or run in another folder.',
  ),
  'too-few-files': usage(
    'This process may open fewer files than a check needs, and a check would mistake that for a fault of the service.',
    'Raise the limit (`ulimit -n 1024`), or send fewer requests at once with `--concurrency`.',
  ),
  'no-temporary-folder': usage(
    'The folder for temporary files is not writable; k6 gets its keys through it.',
    'Free some space there, or name another folder in TMPDIR.',
  ),
  'write-failed': incomplete(
    'Writing failed half-way, as on a full disk.',
    'Free some space and check again; what was tested so far is not a result.',
  ),

  'no-address': usage(
    'There is neither a profile nor an address.',
    '`touchstone init http://…` writes a profile; `touchstone check http://…` works without one.',
  ),
  'no-client': usage(
    'There is no program to judge: neither a command nor a profile with `client`.',
    '`touchstone client -- node my-client.mjs`, or `client: { command: […] }` in the profile.',
  ),
  'profile-exists': usage(
    'There is already a profile that `init` would overwrite.',
    'Move the profile away, or add `--pipeline` to write only the file of a pipeline.',
  ),
  'not-reachable': {
    says: 'Nobody answers at the address.',
    next: 'Start the service, or check the address, the port and the network between.',
    exit: 'unreachable',
  },
  'too-limited': incomplete(
    'The rate limits of the service made the run wait for longer than its patience.',
    'Try again later, or use a key with higher limits.',
  ),
  'no-such-service': usage(
    'Whatever answers at the address does not look like an Actor Execution Service.',
    'Check the address, and whether it needs a path in front of `/v1`.',
  ),
  'profile-unreadable': usage(
    'The profile does not exist or cannot be read.',
    'Check the path after `--profile`; by default, Touchstone looks for touchstone.yaml here and above.',
  ),
  'profile-syntax': usage('The profile is not valid YAML.', 'Fix the line and column that the message names.'),
  'profile-form': usage(
    'A member of the profile is unknown, missing, or has a value of the wrong type.',
    'Fix the line that the message names; `schema/profile.json` completes profiles in editors.',
  ),
  'profile-reference': usage(
    'The profile refers to an environment variable or a file that does not exist.',
    'Set the variable (`export NAME=…`), or write `${env:NAME:-default}` if a default is good enough.',
  ),
  'profile-secret': usage(
    'A secret is in the profile in plain text, or is malformed.',
    'Write `"${env:NAME}"` or `"${file:PATH}"` instead.',
  ),
  'profile-contradiction': usage(
    'Two lines of the profile contradict each other, or a value makes no sense.',
    'Fix the line that the message names.',
  ),

  'run-file-unreadable': usage('The run file does not exist or cannot be read.', 'Check its path.'),
  'run-file-empty': usage('The run file is empty.', otherRunFile),
  'run-file-cut-off': usage(
    'The run file stops in the middle, because the run ended early.',
    '`touchstone report` shows what it holds; check again for a result.',
  ),
  'run-file-not-json': usage('A line of the run file is not JSON.', otherRunFile),
  'run-file-not-utf-8': usage('A line of the run file is not UTF-8 text.', otherRunFile),
  'run-file-line-too-long': usage('A line of the run file is longer than any that a run writes.', otherRunFile),
  'run-file-unknown-version': usage(
    'Another version of Touchstone wrote the run file.',
    'Read it with the version that its first line names.',
  ),
  'run-file-not-a-run': usage('The file is not a run.', 'Name the `run.jsonl` that `touchstone check` wrote.'),
  'run-file-malformed': usage('A record of the run file has the wrong form.', otherRunFile),
  'run-file-header-missing': usage('The run file does not begin with a header.', otherRunFile),
  'run-file-duplicate': usage('The run file contains a record twice.', otherRunFile),
  'run-file-dangling': usage('The run file refers to an exchange that it does not contain.', otherRunFile),
  'run-file-contradiction': usage('The run file contradicts itself.', otherRunFile),

  'target-wrong': usage(
    'The target that the profile or the command line describes cannot be started.',
    'Fix `target` in the profile, or what follows `--`.',
  ),
  'target-did-not-start': {
    says: 'The target did not become ready, or ended.',
    next: 'Look at its last lines above; `target: { ready: { path, within } }` defines when it is ready.',
    exit: 'unreachable',
  },
  'container-tool-missing': {
    says: 'No container engine answers, or the package that talks to it is not installed.',
    next: 'Start Docker, or run `npm install --save-dev testcontainers`; `target: { command: […] }` needs neither.',
    exit: 'toolMissing',
  },

  'load-refused': usage(
    'This load is not allowed: the host, the rate, the duration or the way it was requested.',
    'Check `load` in the profile: `allow`, `max_rate`, `max_duration`; other hosts need `--allow-remote-load` too.',
  ),
  'load-pieces': usage(
    'The folder does not hold the samples of a load run on a cluster.',
    'Name the folder that holds `plan.json` and the files of the pods.',
  ),
  'load-tool-missing': {
    says: 'A load generator is missing, has the wrong version, or could not be built.',
    next: '`touchstone tools` shows what was found; `touchstone tools install k6` builds k6 with a Go toolchain.',
    exit: 'toolMissing',
  },

  journal: usage(
    'The journal of what a run created does not exist, or the file is not a journal.',
    'Name the folder that `touchstone check` wrote to: `touchstone clean --output touchstone-report`.',
  ),
  'cannot-clean': usage(
    'This profile cannot remove what the run created.',
    'Use the profile of that run, with `admin: { token, revoke }` and the address of the service.',
  ),
  'folder-in-use': usage(
    'Another run is still writing to this folder.',
    'Wait for it, end it, or choose another folder with `--output`.',
  ),

  'signing-key': usage(
    'The key cannot be used to sign or to verify.',
    '`touchstone certificate new-key` makes a pair: sign with the private part, verify with the public part.',
  ),
  challenge: usage(
    'The challenge cannot be used for this run or this certificate.',
    'Ask the verifier for a new one for this address: `touchstone certificate challenge`.',
  ),
  bundle: usage(
    'The folder is not a certificate, or cannot be written.',
    'Name the folder that `touchstone certify` wrote, or another folder for a new certificate.',
  ),

  fault: incomplete(
    'This is a fault in Touchstone, not in the service and not yours.',
    'Set TOUCHSTONE_DEBUG=1 to see where it happened, and report it with the output.',
  ),
} as const satisfies Record<string, Mistake>;

export type MistakeCode = keyof typeof mistakes;

/** For the person at the keyboard: the message says what is wrong here, the table what that means in general. */
export abstract class UserError extends Error {
  readonly mistakes: readonly MistakeCode[];

  constructor(message: string, ...codes: readonly MistakeCode[]) {
    super(message);
    this.mistakes = codes.length === 0 ? ['command-line'] : codes;
  }
}
