/**
 * What a certificate of each level demands, by the version of the rule set. A version that has been published is never
 * changed here: `levels.test.ts` holds its digest. New rules come with a new version, and are demanded from then on.
 */
import type { Depth } from '../model/run.ts';

export const levelNames = ['core', 'full'] as const;

export type LevelName = (typeof levelNames)[number];

export interface Demands {
  /** In words, for the certificate. */
  readonly says: string;
  /** At least. */
  readonly depth: Depth;
  /** Required rules that must have been judged. */
  readonly rules: readonly string[];
  /** Whether a waiver may stand in for one that could not be tested; it is named in the certificate. */
  readonly untestedMayBeWaived: boolean;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** What an address, a key and one working actor are enough for. */
const core1 = words(`
  verify.valid-key verify.missing-key verify.invalid-key
  auth.run-without-key auth.run-with-invalid-key auth.read-without-key auth.read-with-invalid-key
  auth.live-and-test-keys auth.several-faults
  actor.read actor.unknown-read actor.unknown-run
  run.success-shape run.clean-run-is-not-partial
  input.empty-body input.malformed-json input.not-an-object input.missing-field input.wrong-type
  input.wrong-type-is-named input.invalid-input-code
  error.shape-400 error.shape-401 error.shape-404 error.shape-422 error.names-the-actor
  route.unknown route.unknown-without-key
`);

/**
 * Whatever a service can be asked from outside. Not in it: limits, which are measured apart; what needs the service's store;
 * and the hash of a key, which a record need not show.
 */
const full1 = words(`
  verify.tier-as-declared verify.tiers-differ
  auth.admin-token-is-no-key auth.refusal-does-no-work
  access.restricted-run access.entitled-run access.restricted-key-is-valid access.refusal-does-no-work
  run.answers-belong-to-requests run.empty-result
  input.schema-violations input.violation-is-named input.refusal-does-no-work
  partial.all-sources-fail partial.all-sources-work partial.does-not-stick partial.has-items
  partial.items-of-working-sources partial.slow-source partial.status
  upstream.recovers upstream.timeout
  error.internal-failure error.shape-403 error.shape-500 error.shape-502 error.shape-504
  admin.right-token admin.wrong-token admin.without-token admin.api-key-is-no-token admin.created-key-format
  admin.created-key-works admin.shown-once admin.revoked-key
  disabled.refuses-every-call disabled.answer-ignores-token disabled.data-interface-works
`);

/** New in set 2: each needs more than one key and one actor. */
const full2 = [
  ...full1,
  'error.of-its-own-call',
  'actor.schema-is-its-own',
  'partial.some-of-many',
  'upstream.status-is-its-own',
  'admin.keys-are-distinct',
];

export const levelsByRules: Readonly<Record<string, Readonly<Record<LevelName, Demands>>>> = {
  '1': {
    core: {
      says: 'Keys, actors, runs, inputs, errors and unknown routes, as far as one key and one actor show them.',
      depth: 'standard',
      rules: core1,
      untestedMayBeWaived: false,
    },
    full: {
      says: 'All of core, and access, partial results, failures of sources, and key management.',
      depth: 'standard',
      rules: [...core1, ...full1],
      untestedMayBeWaived: true,
    },
  },
  '2': {
    core: {
      says: 'Keys, actors, runs, inputs, errors and unknown routes, as far as one key and one actor show them.',
      depth: 'standard',
      rules: core1,
      untestedMayBeWaived: false,
    },
    full: {
      says: 'All of core, and access, partial results, failures of sources, and key management.',
      depth: 'standard',
      rules: [...core1, ...full2],
      untestedMayBeWaived: true,
    },
  },
};

const clientCore1 = words(`
  client.right-call client.sends-the-input client.says-json client.sends-the-key
  client.reads-items client.checks-status client.keeps-partial-items client.claims-no-success
`);

/** All that is expected of any client; what a kind of client is not given (a name, say) can be waived. */
const clientFull1 = words(`
  client.encodes-the-name client.keeps-the-input
  client.sends-it-only-there client.sends-one-key client.prints-no-key client.hides-the-key client.keeps-the-key-home
  client.checks-certificates
  client.takes-unknown-status client.takes-no-items client.takes-more client.reads-json client.decodes
  client.waits-as-told client.waits-by-the-newest client.says-no-other-address client.does-not-hammer client.succeeds-in-the-end
  client.backs-off client.gives-up client.repeats-no-refusal client.runs-once client.waits-for-the-answer
  client.takes-any-error-body client.tells-how-it-ended client.ends client.leaves-nothing
`);

/** By the version of the rules of clients. */
export const clientLevelsByRules: typeof levelsByRules = {
  '1': {
    core: {
      says: 'What the specification demands of a client: the call, the key, the input, the items and their status.',
      depth: 'standard',
      rules: clientCore1,
      untestedMayBeWaived: false,
    },
    full: {
      says: 'All of core, and repetitions, pauses, errors of every form, care for the key, and a clean end.',
      depth: 'standard',
      rules: [...clientCore1, ...clientFull1],
      untestedMayBeWaived: true,
    },
  },
};
