/** What the specification leaves to clients: written down, and judged by nobody. */
import { clientObservation, type Exchange, pathOf, readJson, type SeenTrial, statusOf } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { gapsOf, resultOf, seconds, wasHeldUp } from './looking.ts';
import { afterBreaks, afterFailures, afterUntoldWaits, outcomeUnknown, taskUnknown } from './passing.ts';
import { toldMs } from './told.ts';

/** `429 without Retry-After: repeated after 2.01 s, 2.00 s`. */
function repeats(trial: SeenTrial): string[] {
  if (trial.runs.length + trial.broken === 0) return [];
  const gaps = gapsOf(trial).map(({ ms }) => seconds(Math.max(0, ms)));
  const { outcome, stopped } = trial.ended;
  const end = trial.passing ? '' : stopped === undefined ? `, then ${outcome}` : ', and then ended by Touchstone';
  if (gaps.length === 0) return [`${trial.title}: not repeated${end}`];
  const more = gaps.length > 5 ? ` and ${gaps.length - 5} times more` : '';
  return [`${trial.title}: repeated after ${gaps.slice(0, 5).join(', ')}${more}${end}`];
}

export const defaultWait = clientObservation({
  id: 'client.default-wait',
  passing: afterUntoldWaits,
  clause: clauses.clientDefaultWait,
  situations: [
    'limited-missing',
    'limited-missing-always',
    'limited-date',
    'limited-absurd',
    'limited-huge',
    'limited-negative',
    'limited-garbage',
  ],
  observe: repeats,
  fix: '',
});

export const retries = clientObservation({
  id: 'client.retries',
  passing: afterFailures,
  clause: clauses.clientRetries,
  situations: [
    'limited-always',
    'failing-once-500',
    'failing-once-502',
    'failing-once-503',
    'failing-once-504',
    'failing-500',
    'failing-502',
    'failing-504',
    'html-success',
    'no-items',
    'null-items',
    'object-items',
    'list-success',
    'error-success',
  ],
  observe: repeats,
  fix: '',
});

/** Each pause is measured from the copy's own answer: that they did not start in the same instant changes nothing. */
export const herd = clientObservation({
  id: 'client.herd',
  passing: 'it needs many copies of the program, started at once',
  clause: clauses.clientHerd,
  situations: ['herd'],
  observe: (_, { trials }) => {
    const copies = trials.filter(({ situation, runs }) => situation === 'herd' && runs.length > 0);
    const pauses = copies.flatMap((trial) => gapsOf(trial).slice(0, 1)).map(({ ms }) => Math.max(0, ms));
    if (pauses.length === 0) return [`${copies.length} copies that met a 500: none came back`];
    const sorted = pauses.toSorted((a, b) => a - b);
    const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)]!;
    return [
      `${pauses.length} of ${copies.length} copies that met a 500 came back ${seconds(at(0))} to ${seconds(at(1))} after it, the middle half of them within ${seconds(at(0.75) - at(0.25))}`,
    ];
  },
  fix: '',
});

export const patience = clientObservation({
  id: 'client.patience',
  passing: outcomeUnknown,
  clause: clauses.clientPatience,
  situations: ['silent'],
  observe: ({ runs: [first, ...more], ended }) => {
    if (first === undefined) return [];
    const again = more.length === 0 ? '' : `, and called ${more.length} times more`;
    if (ended.stopped !== undefined && more.length === 0)
      return [`still waited ${seconds(ended.at.end - first.at.sent)} after its call, when Touchstone ended it`];
    return [`takes back a call that is not answered after ${seconds(first.at.end - first.at.sent)}${again}`];
  },
  fix: '',
});

/** Calls that are no run, while the wait that a 429 asks for goes on. */
function meanwhile({ runs, calls }: SeenTrial): Exchange[] {
  return runs.flatMap((run) => {
    const told = statusOf(run) === 429 ? toldMs(run) : undefined;
    if (told === undefined) return [];
    return calls.filter(
      (call) => !runs.includes(call) && call.at.sent > run.at.end && call.at.sent < run.at.end + told,
    );
  });
}

export const callsMeanwhile = clientObservation({
  id: 'client.calls-meanwhile',
  passing: 'other calls that pass may be those of another program; run `touchstone client`',
  clause: clauses.clientCallsMeanwhile,
  situations: ['limited-once', 'limited-two', 'limited-four'],
  observe: (trial) => {
    if (!trial.runs.some((run) => statusOf(run) === 429)) return [];
    const others = meanwhile(trial);
    const [first] = others;
    return [
      first === undefined
        ? 'makes no other call while it waits'
        : `${trial.title}: ${others.length} other calls while it waits, the first of them ${first.request.method} ${pathOf(first)}`,
    ];
  },
  fix: '',
});

export const brokenConnections = clientObservation({
  id: 'client.broken-connections',
  passing: afterBreaks,
  clause: clauses.clientBrokenConnections,
  situations: ['broken-before', 'broken-after', 'broken-always', 'cut-success'],
  observe: repeats,
  fix: '',
});

export const followsTheBase = clientObservation({
  id: 'client.follows-the-base',
  passing: taskUnknown,
  clause: clauses.clientFollowsTheBase,
  situations: ['with-path'],
  observe: ({ runs: [run], basePath }) =>
    run === undefined
      ? []
      : [
          pathOf(run).startsWith(`${basePath}/v1/`)
            ? `keeps the path of the base address`
            : `drops or changes the path of the base address: it called ${pathOf(run)}`,
        ],
  fix: '',
});

export const successCode = clientObservation({
  id: 'client.success-code',
  passing: outcomeUnknown,
  clause: clauses.clientSuccessCode,
  situations: ['created'],
  observe: (trial) => {
    const result = resultOf(trial);
    if (result === undefined || trial.ended.stopped !== undefined) return [];
    return [
      `takes ${statusOf(result)} for: ${trial.ended.outcome}${wasHeldUp(trial) ? ', on a machine that was busy' : ''}`,
    ];
  },
  fix: '',
});

export const exactNumbers = clientObservation({
  id: 'client.exact-numbers',
  passing: taskUnknown,
  clause: clauses.clientExactNumbers,
  situations: ['exact-numbers'],
  observe: ({ runs: [run], input }) => {
    const text = run?.request.body?.text;
    if (text === undefined) return [];
    return [
      digits(text) === digits(input)
        ? 'keeps every digit of the numbers in an input'
        : `writes the numbers of an input anew: ${text.slice(0, 200)}`,
    ];
  },
  fix: '',
});

function digits(text: string): string {
  try {
    return JSON.stringify(readJson(text));
  } catch {
    return text;
  }
}
