/** What an exhausted key may try at once: another request, another route, an address that it invents. */
import {
  admittedIn,
  type Between,
  type Disguised,
  type Exchange,
  givenBackIn,
  isRefused,
  rule,
  type SideBySide,
  type Stretch,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { evaded, isHeld, isOfKeys, orNothing, probes, probing } from '../../language/probing.ts';
import { isBeyondStated, type StatedTiers, statedTiers } from '../../language/stated-limits.ts';

const namesIn = (rounds: readonly { readonly other: string }[]): readonly string[] => [
  ...new Set(rounds.map(({ other }) => other)),
];

const needed = 3;

/** Admitted after the other request each time, and refused after a pause alone. */
function givenBack(rounds: readonly Between[]): Between | undefined {
  const clear = rounds.filter(({ before, after }) => before.every(isRefused) && after.length > 1);
  const isBack = ({ after, control }: Between): boolean =>
    !after.some(isRefused) && control.length > 0 && control.filter(isRefused).length * 2 > control.length;
  return clear.length >= needed && clear.every(isBack) ? clear[0] : undefined;
}

/** A caller that had spent a part was admitted as if rested, each time. */
export function givenBackEarly(rounds: readonly Between[]): Between | undefined {
  const clear = rounds.filter(
    ({ before, control }) =>
      !before.some(isRefused) && !control.slice(0, before.length).some(isRefused) && control.some(isRefused),
  );
  return clear.length >= needed && clear.length === rounds.length && clear.every((each) => givenBackIn(each) > 0)
    ? clear[0]
    : undefined;
}

export const otherCallsForgiveNothing = rule({
  id: 'limit.other-calls-forgive-nothing',
  clause: clauses.otherCallsForgiveNothing,
  needs: probes,
  ...probing,
  rests: 8,
  ask: async ({ limits }) => ({ rounds: await limits.between() }),
  judge: ({ rounds }) =>
    namesIn(rounds).flatMap((name) => {
      const own = rounds.filter(({ other }) => other === name);
      const found = givenBack(own.filter(({ spent }) => spent !== true));
      if (found !== undefined)
        return [
          violation(found.after[0], `an exhausted key to stay refused after ${name}`, 'it was admitted, each time'),
        ];
      const early = givenBackEarly(own.filter(({ spent }) => spent === true));
      if (early === undefined) return [];
      const came = `${admittedIn(early.before) + admittedIn(early.after)} calls admitted with it and ${admittedIn(early.control)} without it, and so each time`;
      return [
        violation(
          early.after.findLast((each) => !isRefused(each)),
          `${name} not to give back what was spent`,
          came,
        ),
      ];
    }),
  fix: 'Leave the counters of a caller unchanged in calls that are not limited themselves.',
});

/** Refused most of the time. */
const isShut = ({ calls }: Pick<Stretch, 'calls'>): boolean =>
  calls.length >= 8 && admittedIn(calls) * 2 <= calls.length;

/** Ten times as much, while the other one was refused. */
export function isFree({ known, looked }: SideBySide): boolean {
  const [own, other] = [admittedIn(known.calls), admittedIn(looked.calls)];
  return isShut(known) && !looked.calls.some(isRefused) && other >= 10 * Math.max(1, own);
}

/** Addresses may refuse it at last: that is no limit of its own. */
const isFarBeyondStated = ({ known, looked }: SideBySide, stated: StatedTiers): boolean =>
  isShut(known) && isBeyondStated(looked, stated);

export const everyRoute = rule({
  id: 'limit.every-route',
  clause: clauses.everyRouteIsLimited,
  needs: probes,
  ...probing,
  rests: 1.2,
  about: ({ subject }): { readonly stated?: StatedTiers } => ({ stated: statedTiers(subject) }),
  async *ask({ limits }) {
    yield { near: orNothing(await limits.neighbours()) };
    yield { routes: await limits.everyRoute() };
    const met = orNothing(await limits.address());
    // Elsewhere callers without a key may have a limit of their own, against guessing.
    yield { atAddress: met?.by === 'no key' ? orNothing(await limits.everyRouteAt()) : null };
  },
  given: ({ near }) => [isOfKeys(near)],
  // Runs of other times asked keys alone.
  judge: ({ routes, atAddress }, { stated = {} }) =>
    [...routes, ...(atAddress ?? [])]
      // Whether asking if a key is valid counts at all is left open.
      .filter(({ request, beside }) => request !== 'verify' && (isFree(beside) || isFarBeyondStated(beside, stated)))
      .map(({ request, beside: { known, looked } }) =>
        violation(
          looked.calls.findLast((each) => !isRefused(each)),
          `${request} to be limited like ${known.route}${known.caller === 'no key' ? ' by the address' : ''}`,
          `${admittedIn(looked.calls)} of ${looked.calls.length} calls were admitted; of ${known.route} meanwhile ${admittedIn(known.calls)}`,
        ),
      ),
  fix: 'Put the limiter in front of all routes, not only some: runs cost most.',
});

export const forgedHeader = rule({
  id: 'limit.forged-header',
  clause: clauses.limitIgnoresForgedAddress,
  needs: probes,
  ...probing,
  rests: 1.2,
  async *ask({ limits }) {
    yield { near: orNothing(await limits.neighbours()) };
    yield { rounds: await limits.forgedByKey() };
  },
  given: ({ near, rounds }) => [
    isOfKeys(near),
    inconclusiveIf(
      rounds !== undefined && !rounds.some(isHeld) && evaded(rounds).length === 0,
      'the exhausted key did not stay refused for long enough',
    ),
  ],
  judge: ({ rounds }) =>
    evaded(rounds).map(({ other, answers }) =>
      violation(answers[0], `an exhausted key to stay refused ${other}`, 'it was admitted'),
    ),
  fix: 'Count a key by the key alone; trust a forwarded-for header only if your own proxy has set it.',
});

/** More than four times what a rested key has, in ever new disguises, while the key as it is was refused before and after. */
const enough = 5;

/** Over at least as much time; what comes back in it is the same for the key as it is. */
const isFarLess = (control: readonly Exchange[], admitted: readonly Exchange[]): boolean =>
  control.length > 0 && spanOf(control) >= spanOf(admitted) && 3 * admittedIn(control) <= admitted.length;

const spanOf = (calls: readonly Exchange[]): number => calls.at(-1)!.at.sent - calls[0]!.at.sent;

export const limitlessIn = (
  disguised: readonly Disguised[],
  isServed: (exchange: Exchange) => boolean = succeeded,
): readonly Disguised[] => {
  const found = disguised.filter(({ before, answers, bursts, after, control = [] }) => {
    const admitted = [...answers, ...bursts.flat()];
    const isShut = before.every(isRefused) && (after.every(isRefused) || isFarLess(control, admitted));
    return bursts.length >= enough && admitted.every(isServed) && isShut;
  });
  // One header by itself says more than all of them together.
  const named = found.filter(({ together }) => together !== true);
  return named.length > 0 ? named : found;
};

export const disguisedKey = rule({
  id: 'limit.disguised-key',
  clause: clauses.limitIsOfTheKeyAlone,
  needs: probes,
  ...probing,
  rests: 1.5,
  async *ask({ limits }) {
    yield { near: orNothing(await limits.neighbours()) };
    yield { seen: await limits.disguised() };
  },
  given: ({ near, seen }) => [
    isOfKeys(near),
    inconclusiveIf(
      seen?.every(({ answers }) => answers.length === 0) ?? false,
      'the exhausted key did not stay refused for long enough',
    ),
    // A group stands for all of its members: one without an answer says nothing of any of them.
    inconclusiveIf(
      seen !== undefined &&
        limitlessIn(seen).length === 0 &&
        seen.some(({ together, answers }) => together === true && answers.length === 0),
      'a group of disguises got no answer, because the key did not stay refused or its address was exhausted',
    ),
  ],
  judge: ({ seen }) =>
    limitlessIn(seen).map(({ other, request, answers, bursts }) => {
      const admitted = answers.length + bursts.flat().length;
      const came = `${admitted} calls admitted, and none refused, while it was refused as usual`;
      return violation(bursts.at(-1)!.at(-1), `an exhausted key to stay refused for ${request} ${other}`, came);
    }),
  fix: 'Count by the key alone: no other header, no query and no spelling names another account.',
});
