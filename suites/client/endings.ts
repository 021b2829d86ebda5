/** How a client ends: it reports the outcome of the run, whatever the answer was, and leaves nothing behind. */
import { clientRule, type SeenTrial, type Telling } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { ending, hasEnded, plainRunsComplete, resultOf, seconds, violation, wasHeldUp } from './looking.ts';
import { outcomeUnknown } from './passing.ts';

const errorBodies = [
  'error-page',
  'error-empty',
  'error-empty-404',
  'error-cut',
  'error-broken',
  'error-large',
  'error-bare',
  'error-null',
  'error-list',
  'error-with-items',
  'html-success',
  'cut-json',
  'cut-behind-items',
  'cut-at-their-end',
  'cut-success',
];

/** These have rules of their own, which say what is wrong there. */
const others = new Set([
  ...errorBodies,
  'complete',
  'complete-many',
  'equal-items',
  'decoys',
  'odd-items',
  'nested-partial',
  'no-items',
  'null-items',
  'object-items',
  'list-success',
  'error-success',
  'compressed-br',
  'unknown-status',
  'longer-word',
  'empty',
  'further-members',
  'pretty',
  'chunked',
  'escaped',
  'large',
  'compressed',
  'created',
  'accepted',
  'cut-once',
  'with-path',
]);

/** What runtimes write of an error that nobody caught: Node, Python, Go, Java, Rust, Ruby, PHP and .NET. */
const uncaught =
  /Traceback \(most recent call last\)|^Node\.js v\d|^panic: |^goroutine \d+ \[|Exception in thread |panicked at |Uncaught |Unhandled exception|^\s+at .+[:(]\d+/m;

/**
 * It fell over: without the line that it writes where it fails as it means to, and with the words of its runtime. An exit code
 * alone reports as well as a line does.
 */
const isMute = ({ ended }: SeenTrial, { jsonWhenFailed }: Telling): boolean =>
  jsonWhenFailed && ended.told === undefined && uncaught.test(ended.errors);

export const takesAnyErrorBody = clientRule({
  id: 'client.takes-any-error-body',
  passing: outcomeUnknown,
  clause: clauses.clientTakesAnyErrorBody,
  situations: errorBodies,
  given: plainRunsComplete,
  judge: (trial, { telling }) => {
    if (trial.runs.length === 0 || (trial.ended.stopped !== undefined && wasHeldUp(trial))) return undefined;
    // Who still repeats the call has not fallen over it.
    if (trial.ended.stopped === 'late' && trial.runs.length > 3) return undefined;
    // What it said is right, and that it does not end has a rule of its own.
    if (trial.ended.stopped === 'late' && trial.ended.outcome === 'failed') return [];
    if (trial.ended.stopped === 'late')
      return [violation('an end, and that the run failed', ending(trial), trial.runs.at(-1))];
    if (trial.ended.stopped !== undefined) return [];
    const mute = isMute(trial, telling);
    if (trial.ended.outcome !== 'unclear' && !mute) return [];
    return [
      violation(
        'the client to say that the run failed',
        mute
          ? `${ending(trial)}, without the JSON line that it writes elsewhere${wrote(trial)}`
          : `${ending(trial)}${wrote(trial)}`,
        trial.runs.at(-1),
      ),
    ];
  },
  fix: 'Decide by the status first; read the body of an error as text, and as JSON only in a block that survives a body that is not JSON.',
});

const wrote = ({ ended: { errors } }: SeenTrial): string => {
  const last = errors.trim().split('\n').at(-1)?.trim() ?? '';
  return last === '' ? '' : `; its last words: ${last.slice(0, 160)}`;
};

/** It says that all is well, and ends as it does where a run failed. */
const contradicts = ({ ended: { outcome, exit } }: SeenTrial, { failedExits }: Telling): boolean =>
  outcome === 'complete' && exit !== undefined && failedExits.includes(exit);

export const tellsHowItEnded = clientRule({
  id: 'client.tells-how-it-ended',
  passing: outcomeUnknown,
  clause: clauses.clientTellsHowItEnded,
  given: plainRunsComplete,
  judge: (trial, { telling }) => {
    if (trial.ended.stopped !== undefined) return undefined;
    if (contradicts(trial, telling))
      return [violation('an exit code that agrees with what it says', ending(trial), trial.runs.at(-1))];
    if (others.has(trial.situation)) return undefined;
    if (trial.calls.length + trial.broken === 0 && trial.situation !== 'wrong-certificate') return undefined;
    // What succeeded in the end has a rule of its own.
    if (resultOf(trial) !== undefined && !trial.situation.startsWith('partial')) return undefined;
    const { outcome, exit } = trial.ended;
    if (outcome === 'failed' && exit === 0 && telling.exitsWhenFailed)
      return [violation('an exit code that says that the run failed, as elsewhere', ending(trial), trial.runs.at(-1))];
    // Where no run was asked for, an exit code says enough.
    const mute = trial.runs.length > 0 && isMute(trial, telling);
    if (outcome !== 'unclear' && !mute) return [];
    return [
      violation(
        'the client to say what became of the run',
        `${ending(trial)}${mute ? ', without the JSON line that it writes elsewhere' : ''}${wrote(trial)}`,
        trial.runs.at(-1),
      ),
    ];
  },
  fix: 'End every path through the program, unexpected errors included, with an exit code and a word that report the outcome of the run.',
});

/** Here a client may wait or repeat for long, by right. */
const lasting = /^(?:limited-|failing-|broken-always)/;

/** A program may tidy up for this long. */
const soonMs = 4000;

export const ends = clientRule({
  id: 'client.ends',
  passing: outcomeUnknown,
  clause: clauses.clientEnds,
  judge: (trial) => {
    if (lasting.test(trial.situation) || errorBodies.includes(trial.situation) || !hasCalled(trial) || wasHeldUp(trial))
      return undefined;
    const { stopped, at } = trial.ended;
    if (stopped !== 'late') return [];
    const last = trial.calls.at(-1);
    const since = at.end - (last?.at.end ?? at.started);
    // Its time was up while it was still being answered, or hardly after: that is no failure to end.
    if (since < soonMs) return undefined;
    return [violation('an end soon after the last answer', `it still ran ${seconds(since)} after it`, last)];
  },
  fix: 'Close what keeps the program alive: pools of connections, timers, threads that are no daemons. Read an answer up to its `Content-Length`, not to the end of the connection.',
});

const hasCalled = ({ calls, broken }: SeenTrial): boolean => calls.length + broken > 0;

export const leavesNothing = clientRule({
  id: 'client.leaves-nothing',
  passing: outcomeUnknown,
  clause: clauses.clientLeavesNothing,
  judge: (trial) =>
    !hasEnded(trial)
      ? undefined
      : goingOn(trial).map((came) => violation('nothing that goes on after its end', came, trial.calls.at(-1))),
  fix: 'Wait for child processes, or end them, before the program ends.',
});

function goingOn({ ended: { left, open = 0 } }: SeenTrial): string[] {
  if (left > 0) return [left === 1 ? 'a process that goes on' : `${left} processes that go on`];
  return open > 0 ? [open === 1 ? 'a connection that stays open' : `${open} connections that stay open`] : [];
}
