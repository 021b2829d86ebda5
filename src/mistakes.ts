/**
 * Every mistake that a person can put right, by a code that stays for ever: what it is in one sentence, and one thing to do next.
 * docs/errors.md is made from this table, and whoever throws one of these names its row.
 */

export interface Mistake {
  readonly says: string;
  readonly next: string;
  /** As `exitCodes` calls it. */
  readonly exit: 'usage' | 'incomplete' | 'unreachable' | 'toolMissing';
}

const usage = (says: string, next: string): Mistake => ({ says, next, exit: 'usage' });
const incomplete = (says: string, next: string): Mistake => ({ says, next, exit: 'incomplete' });

const otherRunFile = 'Take the file as the run wrote it, or check again to have a new one.';

export const mistakes = {
  'command-line': usage(
    'A command, an option or an argument is not one that Touchstone knows.',
    'Add `--help` to the command to see what it takes.',
  ),
  'unknown-rule': usage('A rule, an area or a glob names nothing.', '`touchstone rules` lists them all.'),
  'nothing-selected': usage(
    'The options together leave no rule to ask.',
    'Leave one of `--only` and `--skip` out, or make it narrower.',
  ),
  'unknown-format': usage(
    'A report format is not known, or names no file.',
    'Write `--format console,json,junit`, each with `=file` or `=-` after it where it shall go elsewhere.',
  ),
  'formats-collide': usage(
    'Two reports would be written to the same place.',
    'Give each of them a file of its own: `--format junit=results.xml`.',
  ),
  'two-targets': usage(
    'It was said twice what shall be asked.',
    'Leave all but one of the address, the profile and `--reference` out.',
  ),
  'limits-elsewhere': usage(
    'Limits of a service that is not on this machine are looked for only where that is said twice.',
    'Put `limits: { allow: true }` into the profile, and add `--yes-probe-limits`.',
  ),
  'wrong-key': usage(
    'A key in the environment cannot be one.',
    'Keys begin with `vk_live_` or `vk_test_` and hold no spaces: set the variable again.',
  ),
  'unusable-database': usage(
    'The database of the reference service cannot be used.',
    'Name another file with `--database`, or leave it out: keys then live in memory.',
  ),
  'cannot-listen': usage(
    'A port cannot be listened at.',
    'Choose another port, or 0 for any that is free; `sources.port` says it for the source server.',
  ),
  'cannot-write': usage(
    'A file or folder cannot be written there.',
    'Choose another place with `--output`, or another folder to run in.',
  ),
  'too-few-files': usage(
    'This process may open fewer files than a check needs, and would take that for faults of the service.',
    'Raise the limit (`ulimit -n 1024`), or ask less at a time with `--concurrency`.',
  ),
  'no-temporary-folder': usage(
    'The folder for temporary files cannot be written to: keys go there on their way to k6.',
    'Make room there, or name another folder in TMPDIR.',
  ),
  'write-failed': incomplete(
    'Writing failed half-way, as it does when a disk is full.',
    'Make room and check again; what was tested up to then is not a result.',
  ),

  'no-address': usage(
    'There is neither a profile nor an address.',
    '`touchstone init http://…` writes a profile; `touchstone check http://…` does without.',
  ),
  'no-client': usage(
    'There is no program to judge: neither a command nor a profile with `client`.',
    '`touchstone client -- node my-client.mjs`, or `client: { command: […] }` in the profile.',
  ),
  'profile-exists': usage(
    'There is a profile already where `init` would write one.',
    'Move it away, or run `touchstone init` in another folder.',
  ),
  'not-reachable': {
    says: 'Nobody answers at the address.',
    next: 'Start the service, or look at the address, its port and the way to it.',
    exit: 'unreachable',
  },
  'too-limited': incomplete(
    'The service makes everybody wait for longer than was waited.',
    'Try again later, or with a key that has higher limits.',
  ),
  'no-such-service': usage(
    'What answers at the address does not look like an Actor Execution Service.',
    'Look at the address, and whether a path belongs in front of `/v1`.',
  ),
  'profile-unreadable': usage(
    'The profile is not there or cannot be read.',
    'Look at the path after `--profile`; without it, touchstone.yaml is looked for here and above.',
  ),
  'profile-syntax': usage('The profile is no YAML.', 'Mend it where the message says it stands.'),
  'profile-form': usage(
    'A line of the profile is not known, is missing, or has a value of the wrong kind.',
    'Mend it where the message says it stands; `schema/profile.json` completes profiles in editors.',
  ),
  'profile-reference': usage(
    'An environment variable or a file that the profile refers to is not there.',
    'Set the variable (`export NAME=…`), or write `${env:NAME:-default}` where one will do.',
  ),
  'profile-secret': usage(
    'A secret stands in the profile in plain text, or cannot be one.',
    'Write `"${env:NAME}"` or `"${file:PATH}"` in its place.',
  ),
  'profile-contradiction': usage(
    'A line of the profile does not fit another, or cannot be meant.',
    'Mend it where the message says it stands.',
  ),

  'run-file-unreadable': usage('The run file is not there or cannot be read.', 'Look at its path.'),
  'run-file-empty': usage('The run file is empty.', otherRunFile),
  'run-file-cut-off': usage(
    'The run file ends in the middle: the run did not come to its end.',
    '`touchstone report` shows what there is; check again for a result.',
  ),
  'run-file-not-json': usage('A line of the run file is not JSON.', otherRunFile),
  'run-file-not-utf-8': usage('A line of the run file is not UTF-8 text.', otherRunFile),
  'run-file-line-too-long': usage('A line of the run file is longer than any that a run writes.', otherRunFile),
  'run-file-unknown-version': usage(
    'The run file was written by another version of Touchstone.',
    'Read it with the version that its first line names.',
  ),
  'run-file-not-a-run': usage('The file is no run.', 'Name the `run.jsonl` that `touchstone check` wrote.'),
  'run-file-malformed': usage('A record of the run file does not have the form that runs have.', otherRunFile),
  'run-file-header-missing': usage('The run file does not begin with a header.', otherRunFile),
  'run-file-duplicate': usage('Something stands in the run file twice.', otherRunFile),
  'run-file-dangling': usage('The run file names an exchange that is not in it.', otherRunFile),
  'run-file-contradiction': usage('The run file contradicts itself.', otherRunFile),

  'target-wrong': usage(
    'What the profile or the command line wants started cannot be, as it is written.',
    'Mend `target` in the profile, or what stands after `--`.',
  ),
  'target-did-not-start': {
    says: 'What was started did not become ready, or ended.',
    next: 'Look at its last lines above; `target: { ready: { path, within } }` says when it is ready.',
    exit: 'unreachable',
  },
  'container-tool-missing': {
    says: 'There is no container engine that answers, or the package that speaks to it is not installed.',
    next: 'Start Docker, or `npm install --save-dev testcontainers`; `target: { command: […] }` needs neither.',
    exit: 'toolMissing',
  },

  'load-refused': usage(
    'Load is not sent there, or not so much of it, or not as it was asked for.',
    'Look at `load` in the profile: `allow`, `max_rate`, `max_duration`; hosts elsewhere want `--i-may-load` too.',
  ),
  'load-pieces': usage(
    'A folder of collected samples is not one that a load run on a cluster has left.',
    'Name the folder that holds `plan.json` and the files of the pods.',
  ),
  'load-tool-missing': {
    says: 'A load generator is not there, not of the right version, or could not be built.',
    next: '`touchstone tools` shows what was found; `touchstone tools install k6` builds k6 with a Go toolchain.',
    exit: 'toolMissing',
  },

  journal: usage(
    'The journal of what a run made is not there, or is none.',
    'Name the folder that `touchstone check` wrote to: `touchstone clean --output touchstone-report`.',
  ),
  'cannot-clean': usage(
    'What a run made cannot be removed with this profile.',
    'Use the profile of that run, with `admin: { token, revoke }` and the address of the service.',
  ),
  'folder-in-use': usage(
    'Another run that goes on writes to the same folder.',
    'Wait for it, end it, or choose another folder with `--output`.',
  ),

  'signing-key': usage(
    'A key to sign or to verify with cannot be used.',
    '`touchstone keys new` makes a pair; name the private part to certify, the public part to verify.',
  ),
  bundle: usage(
    'The bundle is none, or cannot be written there.',
    'Name the folder that `touchstone certify` wrote, or another one for a new bundle.',
  ),

  fault: incomplete(
    'A fault of Touchstone itself, not of the service and not of yours.',
    'Set TOUCHSTONE_DEBUG=1 to see where, and report it with what it prints.',
  ),
} as const satisfies Record<string, Mistake>;

export type MistakeCode = keyof typeof mistakes;

/** Thrown for whoever sits at the keyboard: the message says what is wrong here, the table what that is in general. */
export abstract class UserError extends Error {
  readonly mistakes: readonly MistakeCode[];

  constructor(message: string, ...codes: readonly MistakeCode[]) {
    super(message);
    this.mistakes = codes.length === 0 ? ['command-line'] : codes;
  }
}
