import {
  aToken,
  type Exchange,
  expectStatus,
  isObject,
  isRefused,
  jsonOf,
  kindOf,
  type Line,
  member,
  observation,
  rule,
  statusFits,
  succeeded,
  sweep,
  unless,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { echoes, isRun } from '../../language/answers.ts';
import { everySource } from '../../language/asking.ts';
import { expectRunResult } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, succeeds } from '../../language/gates.ts';
import { cleanRun } from '../../language/twins.ts';
import { refusedBefore } from './refusals.ts';

export const successShape = sweep({
  id: 'run.success-shape',
  clause: clauses.runResultShape,
  needs: ['key', 'clean'],
  actor: 'clean',
  question: 'clean-run',
  provoke: ({ run }) => run(),
  includes: (exchange, _, brought) => brought.includes(exchange) || (succeeded(exchange) && isRun(exchange)),
  judge: (exchange) => unless(expectStatus(exchange, '2xx'), () => expectRunResult(exchange)),
  fix: 'Answer a run with a JSON object that has `items`, an array even if empty, and `status`, a string.',
});

const together = 6;

export const answersBelongToRequests = sweep({
  id: 'run.answers-belong-to-requests',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'echo'],
  actor: 'echo',
  without: ['company'],
  passing: 'the recorded inputs contain no nonce',
  // What others ask at the same time must not make the run by itself look as if the actor did not echo.
  alone: true,
  async *provoke({ run }) {
    yield { alone: await run() };
    yield { runs: (await Promise.all(Array.from({ length: together }, () => run()))).filter(succeeded) };
  },
  given: ({ alone, runs }) => [
    succeeds(alone, 'a run by itself'),
    // Items that hold the nonce of an earlier run come from a memory that is too good; others are no echo at all.
    inconclusiveIf(
      !!alone && !echoes(alone) && !holdsForeignNonce(alone),
      'the items of a single run do not contain the nonce of its input: the actor does not echo',
    ),
    inconclusiveIf(!!runs && runs.length < 2, 'fewer than two of the simultaneous runs succeeded'),
  ],
  includes: (exchange) => isRun(exchange) && succeeded(exchange),
  // In every request: what was planted for one run belongs in the items of no other.
  judge(exchange, { planted }, brought) {
    // Only an actor that gives the nonce back when nobody else asks owes it to everybody.
    const isAsked = brought.some(({ alone, runs }) => runs?.includes(exchange) && echoes(alone));
    const items = JSON.stringify(member(exchange, 'items') ?? null).toLowerCase();
    const foreign = (items.match(aWord) ?? []).find((word) => isOthers(exchange, word, planted));
    return [
      ...(isAsked && !echoes(exchange)
        ? [
            violation(
              exchange,
              "the items to contain the nonce of the run's own input",
              kindOf(member(exchange, 'items')),
            ),
          ]
        : []),
      ...(foreign === undefined
        ? []
        : [violation(exchange, 'the items of this run only', `what exchange ${planted.get(foreign)} planted`)]),
    ];
  },
  fix: 'Keep the data of a run out of module state and shared buffers: two simultaneous runs mixed it up.',
});

const holdsForeignNonce = (exchange: Exchange): boolean =>
  [
    ...JSON.stringify(member(exchange, 'items') ?? null)
      .toLowerCase()
      .matchAll(aToken),
  ].some(([nonce]) => nonce !== exchange.planted?.nonce);

/** Short words are anybody's. */
const aWord = /[0-9a-z]{13,}/g;

/** An attempt that was repeated planted the same again. */
const isOthers = (
  { id, earlier = [], planted: own }: Exchange,
  word: string,
  planted: ReadonlyMap<string, number>,
): boolean => {
  const owner = planted.get(word);
  if (owner === undefined || owner === id || earlier.includes(owner)) return false;
  return word !== own?.nonce && !(own?.sources ?? []).some(({ token }) => token === word);
};

/** A service that takes its time is asked less often. */
const longestMs = 5000;

/** Who limits its callers is asked no more: each of these would have to wait. */
async function untilLimited(most: number, next: () => Promise<Exchange>, now: () => number) {
  const calls: Exchange[] = [];
  const began = now();
  while (calls.length < most && now() - began < longestMs) {
    const call = await next();
    if (isRefused(call) || call.earlier !== undefined) break;
    calls.push(call);
  }
  return calls;
}

export const keepAlive = rule({
  id: 'run.keep-alive',
  clause: clauses.connectionsPersist,
  needs: ['key', 'clean'],
  actor: 'clean',
  without: ['connection', 'history', 'company'],
  cases: refusedBefore,
  twin: cleanRun,
  answering: true,
  async ask({ run, read, verify, send, now, line, random, case: { options, request, calls, of } }) {
    const call = of === undefined ? run : of === 'read' ? read : verify;
    if (calls !== undefined) {
      const row = (on: Line) => untilLimited(calls, () => call({ on }), now);
      const first = await row(line());
      // A service may fail once by chance.
      const runs = first.every(succeeded) ? first : await row(line());
      return { runs, refused: [], apart: of === undefined ? [] : [await call({ on: line() })] };
    }
    const on: Line = line({ watched: true });
    const runs: Exchange[] = [];
    const refused: Exchange[] = [];
    const refuse = options ? () => call({ on, ...options(random) }) : request && (() => send({ on, ...request }));
    for (let turn = 0; turn < (refuse === undefined ? together : 2); turn += 1) {
      if (refuse !== undefined) refused.push(await refuse());
      runs.push(await call({ on }));
    }
    // A run has its twin; of what else follows, it is seen that it succeeds where each has a connection of its own.
    if (of === undefined) return { runs, refused, apart: [] };
    if (options) await call({ on: line(), ...options(random) });
    return { runs, refused, apart: [await call({ on: line() })] };
  },
  given: ({ runs = [], refused = [], apart = [] }) => [
    // A service that closes each connection, as any may, kept none: nothing was asked on one.
    inapplicableIf(
      runs.length > 0 && [...runs, ...refused].every(({ connection, response }) => response && connection.use < 2),
      'the service closed each connection after one answer, so none was kept',
    ),
    inconclusiveIf([...runs, ...refused].some(isIdleTimeout), 'the service had stopped waiting on that connection'),
    inconclusiveIf(!apart.every(succeeded), 'the same call did not succeed on a connection of its own either'),
  ],
  judge: ({ runs, refused }) => [
    ...runs.flatMap((each) => expectStatus(each, '2xx')),
    ...refused.flatMap((each) =>
      each.response === undefined ? [violation(each, 'an answer on a kept connection', whatCame(each))] : [],
    ),
  ],
  fix: 'Read every request body to its end, even of a refused request, or send `Connection: close` with the answer.',
});

/** It had waited long enough (RFC 9110, section 15.5.9), and what was asked just then was not what it answered. */
const isIdleTimeout = (exchange: Exchange): boolean => statusFits(exchange, 408) && exchange.connection.use > 1;

/** The reasons that these name are wrong: the key is accepted, and the actor exists. */
const ofOthers = [401, 403, 404];

export const emptyResult = rule({
  id: 'run.empty-result',
  clause: clauses.runResultShape,
  needs: ['key', 'sources'],
  actor: 'sources',
  // Whether sources that say nothing are a failure is left open; a success has its array, be it empty.
  async *ask({ run }) {
    const exchange = await run({ sources: everySource('empty') });
    yield { exchange };
    yield { full: statusFits(exchange, ofOthers) ? await run() : null };
  },
  given: ({ exchange, full }) => [
    succeeds(full, 'a run with sources that are not empty'),
    inapplicableIf(
      !!exchange && statusFits(exchange, ['4xx', '5xx']) && !statusFits(exchange, [...ofOthers, 429]),
      'this service treats empty sources as failed, which is allowed',
    ),
    exchange && !statusFits(exchange, ofOthers) ? succeeds(exchange, 'a run with empty sources') : undefined,
  ],
  judge: ({ exchange }) =>
    statusFits(exchange, ofOthers)
      ? [warning(exchange, 'a result with an empty `items`, or the status of a failure', whatCame(exchange))]
      : expectRunResult(exchange),
  fix: 'Return `"items": []` if there are no items: never null, and never without the member.',
});

export const statusValues = observation({
  id: 'run.status-values',
  clause: clauses.otherStatusesNotShown,
  needs: ['key', 'clean'],
  actor: 'clean',
  question: 'clean-run',
  ask: ({ run }) => run(),
  observe: (exchange) =>
    succeeded(exchange) ? [`the status of a clean run is ${kindOf(member(exchange, 'status'))}`] : [],
  fix: 'Nothing to fix: the specification leaves open which status a clean run has.',
});

export const successCode = observation({
  id: 'run.success-code',
  clause: clauses.successCodeNotShown,
  needs: ['key', 'clean'],
  actor: 'clean',
  question: 'clean-run',
  ask: ({ run }) => run(),
  observe: (exchange) => [`a clean run gets ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open which 2xx a success returns.',
});

export const furtherFields = observation({
  id: 'run.further-fields',
  clause: clauses.runFieldsNotShown,
  needs: ['key', 'clean'],
  actor: 'clean',
  question: 'clean-run',
  ask: ({ run }) => run(),
  observe(exchange) {
    const body = jsonOf(exchange);
    const names = body.ok && isObject(body.value) ? Object.keys(body.value) : [];
    const further = names.filter((name) => name !== 'items' && name !== 'status');
    return [
      further.length === 0 ? 'a run result has no further members' : `a run result also has ${further.join(', ')}`,
    ];
  },
  fix: 'Nothing to fix: the specification leaves open what a run result holds besides `items` and `status`.',
});
