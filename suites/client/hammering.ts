/** What a client does where nothing that it can read says how long to wait. */
import { clientRule, type SeenTrial } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { gapsOf, hasWorkers, seconds, violation } from './looking.ts';
import { untoldStreaks } from './passing.ts';
import { neverPause } from './pauses.ts';

/** This many repetitions without a pause are no chance. */
const hammered = 4;
const noPauseMs = 25;

/** As many calls in so short a time are a loop, whatever it sleeps between them. */
const crowd = 12;
const crowdedMs = 1000;

/** Always 429, and never for how long. */
const untold = ['limited-missing-always', 'limited-missing-again'];
const burstMs = 600;

/** The first five calls within a moment, and no pause that grows. */
function bursts(trial: SeenTrial): boolean {
  const pauses = gapsOf(trial).map(({ ms }) => Math.max(0, ms));
  const first = pauses.slice(0, hammered);
  const sum = first.reduce((all, ms) => all + ms, 0);
  return first.length === hammered && sum <= burstMs && first.at(-1)! < 3 * first[0]! + noPauseMs;
}

/** What nobody can read, or nobody would wait for: a timer that overflows ends at once. */
const unreadable = [
  ['limited-garbage', 'limited-garbage-again'],
  ['limited-huge', 'limited-huge-again'],
  ['limited-date-always', 'limited-date-always-again'],
];
const momentMs = 400;

/** The first five calls within a moment, at one pace: chance in pauses (jitter) rarely agrees with itself like that, and hardly ever twice. */
function keepsAtIt(trial: SeenTrial): boolean {
  const first = gapsOf(trial)
    .map(({ ms }) => Math.max(0, ms))
    .slice(0, hammered);
  const sum = first.reduce((all, ms) => all + ms, 0);
  return first.length === hammered && sum <= momentMs && Math.max(...first) <= 1.5 * Math.min(...first) + 20;
}

/** Starts of one situation, each of them without a pause that was meant. */
function hammering(trials: readonly SeenTrial[]): SeenTrial | undefined {
  const groups: readonly (readonly [readonly string[], (trial: SeenTrial) => boolean])[] = [
    [untold, bursts],
    ...unreadable.map((names) => [names, keepsAtIt] as const),
  ];
  return groups
    .map(([names, isOne]) => {
      const own = trials.filter((each) => names.includes(each.situation) && !hasWorkers(each));
      // Once may be chance (jitter).
      return own.length >= 2 && (own.every(isOne) || neverPause(own)) ? own[0] : undefined;
    })
    .find((each) => each !== undefined);
}

export const doesNotHammer = clientRule({
  id: 'client.does-not-hammer',
  passing: untoldStreaks,
  clause: clauses.clientDoesNotHammer,
  // How a client reads an absurd value is its own choice, but for not pausing at all.
  situations: [
    'limited-missing',
    ...untold,
    ...unreadable.flat(),
    'limited-negative',
    'failing-502',
    'failing-504',
    'broken-always',
  ],
  judge: (trial) => {
    if (trial.runs.length === 0) return undefined;
    const gaps = gapsOf(trial);
    const fast = gaps.filter(({ ms }) => ms < noPauseMs);
    const last = trial.runs[crowd - 1];
    if (last !== undefined && last.at.sent - trial.runs[0]!.at.sent <= crowdedMs && !hasWorkers(trial)) {
      const came = `${crowd} calls in ${seconds(last.at.sent - trial.runs[0]!.at.sent)}`;
      return [violation('a pause before a call is repeated', came, last)];
    }
    if (fast.length < hammered) return [];
    const from = trial.runs[0]!.at.sent;
    const until = trial.runs.at(-1)!.at.sent;
    return [
      violation(
        'a pause before a call is repeated',
        `${trial.runs.length} calls in ${seconds(until - from)}, ${fast.length} of them less than ${noPauseMs} ms after an answer`,
        fast[0]!.next,
      ),
    ];
  },
  judgeAll: (trials) => {
    const own = hammering(trials);
    if (own === undefined) return [];
    const runs = own.runs.slice(0, hammered + 1);
    const last = runs.at(-1)!;
    return [
      violation(
        'a pause before a call is repeated',
        `${runs.length} calls in ${seconds(last.at.sent - runs[0]!.at.sent)}, with pauses that do not grow`,
        last,
      ),
    ];
  },
  fix: 'Pause before every retry: 2 s if a 429 has no Retry-After, and a growing time after a failure.',
});
