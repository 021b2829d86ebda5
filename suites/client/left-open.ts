/** What the specification leaves to clients: written down, and judged by nobody. */
import { clientObservation, pathOf, readJson, type SeenTrial, statusOf } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { gapsOf, hasEnded, resultOf, seconds } from './looking.ts';

/** `429 without Retry-After: repeated after 2.01 s, 2.00 s`. */
function repeats(trial: SeenTrial): string[] {
  if (trial.runs.length + trial.broken === 0) return [];
  const gaps = gapsOf(trial).map(({ ms }) => seconds(Math.max(0, ms)));
  const { outcome, stopped } = trial.ended;
  const end = stopped === undefined ? `, then ${outcome}` : ', and then ended by Touchstone';
  if (gaps.length === 0) return [`${trial.title}: not repeated${end}`];
  const more = gaps.length > 5 ? ` and ${gaps.length - 5} times more` : '';
  return [`${trial.title}: repeated after ${gaps.slice(0, 5).join(', ')}${more}${end}`];
}

export const defaultWait = clientObservation({
  id: 'client.default-wait',
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
  ],
  observe: repeats,
  fix: '',
});

export const brokenConnections = clientObservation({
  id: 'client.broken-connections',
  clause: clauses.clientBrokenConnections,
  situations: ['broken-before', 'broken-after', 'broken-always', 'cut-success'],
  observe: repeats,
  fix: '',
});

export const followsTheBase = clientObservation({
  id: 'client.follows-the-base',
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
  clause: clauses.clientSuccessCode,
  situations: ['created'],
  observe: (trial) =>
    hasEnded(trial)
      ? [`takes ${statusOf(resultOf(trial) ?? trial.runs[0]!) ?? 'nothing'} for: ${trial.ended.outcome}`]
      : [],
  fix: '',
});

export const exactNumbers = clientObservation({
  id: 'client.exact-numbers',
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
