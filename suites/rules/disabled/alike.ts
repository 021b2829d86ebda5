/** What the instance without an admin token decides about runs: the same as the other one, for a key that both know alike. */
import {
  type Actor,
  type Ask,
  type Case,
  type Exchange,
  expectStatus,
  type Key,
  member,
  type RunOptions,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everySource, everything, patience, runnableRestricted } from '../../language/asking.ts';
import { expectPartial, expectVerified, isPartial, isSameTier } from '../../language/expectations.ts';
import { inapplicableIf, isAnswered } from '../../language/gates.ts';
import { barredFrom } from '../access/access.ts';

interface Decided extends Case {
  readonly actor: Actor;
  readonly key: Key;
  readonly sources?: NonNullable<RunOptions['sources']>;
}

const named = ({ actor, key }: { readonly actor: Actor; readonly key: Key }): Decided => ({
  name: `${actor.name} with the key ${key.name}`,
  actor,
  key,
});

function decided(subject: Subject): readonly Decided[] | string {
  const key = subject.keys.find(({ role, kind }) => role === 'entitled' && kind === 'live');
  const { clean, sources } = subject.actors;
  const open = key === undefined ? [] : [...clean, ...sources].map((actor) => named({ actor, key }));
  const failing = open
    .filter(({ actor }) => actor.sources === 2)
    .map((each) => ({ ...each, name: `${each.name}, a source refused`, sources: { ok2: 'refused' as const } }));
  const slow = failing
    .slice(0, 1)
    .map((each) => ({ ...named(each), name: `${named(each).name}, all sources slow`, sources: everySource('slow') }));
  const restricted = runnableRestricted(subject).map(named);
  const barred = barredFrom(subject).map(({ actor, barred: key }) => named({ actor, key }));
  const all = [...open, ...failing, ...slow, ...restricted, ...barred].filter(({ key: { kind } }) => kind !== 'issued');
  return all.length > 0 ? all : 'the profile has no actor with an input that both instances could run';
}

const giveUps = [502, 504];

/** Whoever knows a key of its own alone says nothing about the other instance. */
const isKnownAlike = (here: Exchange, there: Exchange): boolean =>
  [here, there].every((each) => expectVerified(each).length === 0) &&
  isSameTier(member(here, 'tier'), member(there, 'tier') as string);

const runOn = ({ run, case: { sources } }: Pick<Ask<Decided>, 'run' | 'case'>, instance: 'main' | 'disabled') =>
  run({ instance, ...(sources === undefined ? {} : { sources }) });

export const runsAreDecidedAlike = rule({
  id: 'disabled.decides-runs-alike',
  clause: clauses.dataWithoutAdmin,
  needs: ['disabled', 'key'],
  without: everything,
  // Sources that are slow keep a small service busy.
  alone: true,
  deadlineMs: (subject) => 2 * patience(subject) + 2 * subject.bounds.upstreamMs,
  cases: decided,
  about: ({ case: { actor, sources } }) => ({ reads: actor.sources > 0, failing: sources !== undefined }),
  async *ask(ask) {
    const there = await ask.verify({ instance: 'main' });
    const here = await ask.verify({ instance: 'disabled' });
    yield { there, here };
    if (!isKnownAlike(here, there)) return;
    yield { control: await runOn(ask, 'main') };
    yield { exchange: await runOn(ask, 'disabled') };
  },
  given: ({ there, here, control, exchange }, { reads, failing }) => [
    inapplicableIf(
      here !== undefined && there !== undefined && !isKnownAlike(here, there),
      'the instance without an admin token does not know this key with the same tier',
    ),
    isAnswered(control, failing ? ['2xx', 403, ...giveUps] : ['2xx', 403], 'the same run on the main instance'),
    inapplicableIf(
      control !== undefined && isPartial(control) && !failing,
      'the main instance says PARTIAL where no source failed, which is the matter of other rules',
    ),
    inapplicableIf(
      reads && exchange !== undefined && statusFits(exchange, giveUps),
      'a run with sources gets nothing there: that instance may not reach them',
    ),
  ],
  judge: ({ control, exchange }) => {
    if (control === undefined || exchange === undefined) return [];
    if (statusFits(control, giveUps))
      return statusFits(exchange, 500) ? [violation(exchange, '502 or 504, as of the main instance', '500')] : [];
    if (isPartial(control)) return expectPartial(exchange, true);
    return expectStatus(exchange, succeeded(control) ? '2xx' : 403);
  },
  fix: 'Read tiers, features and sources the same way whether the admin interface is enabled or not.',
});
