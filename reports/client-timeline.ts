/** What happened in one start of a client, line by line: for debugging. */

import { seriesOf } from '../src/verdict/series.ts';
import {
  describeClientContext,
  type Exchange,
  type Finding,
  headerValues,
  type Run,
  type Trial,
} from '../src/vocabulary.ts';
import { inline, lasting } from './text.ts';

const callsShown = 12;

/** The trial that shows a finding best: the one of its first exchange. */
function trialOf({ trials = [], header, exchanges: all }: Run, finding: Finding): Trial | undefined {
  if (header.between !== undefined)
    return finding.rule.startsWith('client.') ? trialAmong(passedIn(all), finding) : undefined;
  return trialAmong(trials, finding);
}

/** Recorded traffic has no starts: it is a sequence of identical calls. */
const passedIn = (exchanges: Run['exchanges']): Trial[] =>
  seriesOf(exchanges).map(({ calls, runs: _, ...series }) => ({
    ...series,
    exchanges: calls.map(({ id }) => id),
    elsewhere: [],
  }));

function trialAmong(trials: readonly Trial[], { exchanges, reasons }: Finding): Trial | undefined {
  const ids = [...reasons.flatMap(({ exchange }) => exchange ?? []), ...exchanges];
  return ids
    .map((id) => trials.find((trial) => trial.exchanges.includes(id) || trial.elsewhere.includes(id)))
    .find((trial) => trial !== undefined);
}

/** Empty for runs that judge services. */
export function timelineOf(run: Run, finding: Finding): string[] {
  const trial = trialOf(run, finding);
  if (trial === undefined) return [];
  const { ended } = trial;
  const at = (ms: number): string => `${((ms - ended.at.started) / 1000).toFixed(2).padStart(6)} s`;
  const ids = [...trial.exchanges, ...trial.elsewhere];
  const calls = ids.flatMap((id) => run.exchanges.get(id) ?? []).sort((a, b) => a.at.sent - b.at.sent);
  const lines = calls
    .slice(0, callsShown)
    .map((call, place) => `${at(call.at.sent)}  ${called(call, trial, calls[place - 1])}`);
  const more = calls.length - callsShown;
  if (run.header.between !== undefined)
    return [
      `Seen for ${inline(trial.title, 100)}:`,
      ...lines,
      ...(more > 0 ? [`          and ${more} more calls`] : []),
    ];
  return [
    `Seen for ${inline(trial.title, 100)}, ${describeClientContext(trial)}:`,
    `${at(ended.at.started)}  started`,
    ...(trial.broken > 0
      ? [`          ${trial.broken === 1 ? 'a connection was' : `${trial.broken} connections were`} broken`]
      : []),
    ...lines,
    ...(more > 0 ? [`          and ${more} more calls`] : []),
    `${at(ended.at.end)}  ${endOf(trial)}`,
    ...(ended.output.trim() === '' ? [] : [`          wrote: ${inline(lastLine(ended.output), 160)}`]),
    ...(ended.errors.trim() === ''
      ? []
      : [`          wrote to standard error: ${inline(lastLine(ended.errors), 160)}`]),
  ];
}

function called(call: Exchange, trial: Trial, before: Exchange | undefined): string {
  const { request, response, failure, at } = call;
  const where = trial.elsewhere.includes(call.id) ? ' at another host' : '';
  const took = at.end - at.sent > 500 ? `, after ${lasting(at.end - at.sent)}` : '';
  const wait = headerValues(call, 'retry-after')[0];
  const answer =
    response === undefined
      ? (failure?.says ?? 'no answer')
      : `${response.status}${wait === undefined ? '' : `, Retry-After: ${inline(wait, 40)}`}${failure === undefined ? '' : `, cut off`}`;
  const gap = before === undefined ? '' : ` (${lasting(Math.max(0, at.sent - before.at.end))} after the answer before)`;
  return `${inline(`${request.method} ${request.target}`, 90)}${where} → ${inline(answer, 120)}${took}${gap}`;
}

function endOf({ ended: { exit, signal, outcome, stopped, left } }: Trial): string {
  const how =
    stopped === 'late'
      ? 'ended by Touchstone, because it took longer than it may'
      : stopped === 'enough'
        ? 'ended by Touchstone, which had seen enough'
        : `ended with ${signal === undefined ? `exit code ${exit}` : signal}: ${outcome}`;
  return left === 0 ? how : `${how}, leaving ${left === 1 ? 'a process' : `${left} processes`}`;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
