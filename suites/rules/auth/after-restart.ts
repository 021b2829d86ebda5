/** Guards that a start sets up, looked at once more after a further start. */
import {
  type Actor,
  type Created,
  type Exchange,
  expectStatus,
  type Json,
  type Reason,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectInvalidKey } from '../../language/expectations.ts';
import { inconclusiveIf, succeeds } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { validatingActors } from '../../language/wrong-inputs.ts';

type Look = { readonly before: Exchange; readonly after: Exchange };

interface Looks {
  readonly ran: readonly Look[];
  readonly validated: readonly Look[];
  readonly barred: readonly Look[];
  readonly verified: readonly Look[];
  readonly read: readonly Look[];
  readonly managed: readonly Look[];
}

const refusesKey = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, 401);
const refusesToken = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, ['4xx', 501, 503]);

const refusesInput = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, [400, 422]);

const refusesAccess = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, 403);

const mostActors = 4;

/** A schema may be read when its actor first runs: one input for each actor, without a field that it must have. */
const incomplete = (subject: Subject) =>
  open(subject)
    .flatMap((actor) => wrongInputsOf(actor, 'missing').map((input) => ({ actor, input })))
    .slice(0, mostActors);

/** And each part of it may be looked at by other code: one input for each kind of fault, of the actor that has most of them. */
const wrongOtherwise = (subject: Subject) => {
  const all = open(subject).map((actor) =>
    otherKinds.flatMap((fault) => wrongInputsOf(actor, fault).map((input) => ({ actor, input }))),
  );
  return all.toSorted((one, other) => other.length - one.length)[0] ?? [];
};

const otherKinds = ['wrong-type', 'enum', 'bound', 'length', 'pattern', 'nested-missing'];

const open = (subject: Subject): readonly Actor[] =>
  validatingActors(subject).flatMap(({ actor, key }) => (key === undefined ? [actor] : []));

const wrongInputsOf = ({ mutants }: Actor, kind: string): readonly Json[] =>
  mutants
    .filter(({ fault }) => fault === kind)
    .slice(0, 1)
    .map(({ input }) => input);

/** What a tier or a feature opens may be read from the store, too. */
const withoutAccess = ({ actors }: Subject) =>
  actors.restricted
    .flatMap((actor) => (actor.restrictedKey === undefined ? [] : [{ actor, key: actor.restrictedKey }]))
    .slice(0, mostActors);

/** A service may have reasons to make no further key: a failure of its own is none. */
function expectAnother(before: Created, { answer, name }: Created): readonly Reason[] {
  if (!succeeded(before.answer) || before.name === null) return [];
  if (statusFits(answer, 500)) return [violation(answer, 'a new key, as before the restart', whatCame(answer))];
  return name === before.name ? [violation(answer, 'another key than before the restart', `«${name}»`)] : [];
}

/** With what each of them has to say to a credential that is wrong. */
const judged = ({ ran = [], validated = [], barred = [], verified, read, managed }: Looks) =>
  [
    [ran, refusesKey],
    [validated, refusesInput],
    [barred, refusesAccess],
    [verified, expectInvalidKey],
    [read, refusesKey],
    [managed, refusesToken],
  ] as const;

export const guardedAfterRestart = rule({
  id: 'auth.guarded-after-restart',
  clause: clauses.guardsOutliveRestarts,
  needs: ['key', 'clean', 'admin.restart'],
  actor: 'clean',
  without: everything,
  alone: 'last',
  async *ask({ run, verify, read, admin, key, subject, restart }) {
    const wrong = wrongInTheMiddle.of(key.secret);
    const token = subject.admin?.operations.includes('list') ? subject.admin.token : undefined;
    // The very first run of a process may be another thing than all later ones.
    const running = [() => run({ key: null }), () => run({ key: wrong })];
    const validating = [...incomplete(subject), ...wrongOtherwise(subject)].map((how) => () => run(how));
    const barring = withoutAccess(subject).map((how) => () => run(how));
    const verifying = [() => verify({ key: wrong })];
    const reading = [() => read({ key: null }), () => read({ key: wrong })];
    const managing =
      token === undefined
        ? []
        : [() => admin.list({ token: null }), () => admin.list({ token: wrongInTheMiddle.of(token) })];
    const all = [...running, ...validating, ...barring, ...verifying, ...reading, ...managing];
    const before: Exchange[] = [];
    for (const send of all) before.push(await send());
    const makes = token !== undefined && subject.admin?.operations.includes('create') === true;
    const made = makes ? (await admin.create()).created : null;
    await restart();
    const looks: Look[] = [];
    for (const [at, send] of all.entries()) looks.push({ before: before[at]!, after: await send() });
    const next = (some: readonly unknown[]): readonly Look[] => looks.splice(0, some.length);
    yield { right: await verify() };
    yield {
      ran: next(running),
      validated: next(validating),
      barred: next(barring),
      verified: next(verifying),
      read: next(reading),
      managed: next(managing),
    };
    yield { made: made && { before: made, after: (await admin.create()).created } };
  },
  given: ({ right, ran = [], validated = [], barred = [], verified, read = [], managed = [] }) => [
    succeeds(right, 'verifying a key after the restart'),
    inconclusiveIf(
      verified !== undefined &&
        judged({ ran, validated, barred, verified, read, managed }).every(([looks, expect]) =>
          looks.every(({ before }) => expect(before).length > 0),
        ),
      'nothing was guarded before the restart either; other rules report that',
    ),
  ],
  // Runs of other times made no keys.
  judge: ({ made = null, ...all }) => [
    ...judged(all).flatMap(([looks, expect]) =>
      looks.flatMap(({ before, after }) => (expect(before).length > 0 ? [] : expect(after))),
    ),
    ...(made === null ? [] : expectAnother(made.before, made.after)),
  ],
  fix: 'Set up the checks of keys, of access, of the admin token and of inputs, and the source of new keys, the same way at each start, also if the store exists already.',
});
