/**
 * Pure: what passed between a client and a service, put in order as starts of a client are: calls that are the same, one after
 * the other. A caller that repeats a call is found in one series; what may belong to several callers is separated, or split into single calls.
 */
import { isRun, type SeenTrial } from '../model/client.ts';
import { type Exchange, headerValues } from '../model/exchange.ts';
import { kindOfKey } from '../model/secret.ts';

/** A call later than this, and later than the stated wait, is a new one and not a repetition. */
const togetherMs = 30_000;
const longestToldMs = 3_600_000;

export function seriesOf(exchanges: ReadonlyMap<number, Exchange>): SeenTrial[] {
  const ordered = [...exchanges.values()].sort((a, b) => a.at.sent - b.at.sent || a.id - b.id);
  const same = Map.groupBy(ordered, identityOf);
  return [...same.values()]
    .flatMap((calls) => (haveOverlap(calls) ? calls.map((call) => [call]) : cut(calls)))
    .sort((a, b) => a[0]!.at.sent - b[0]!.at.sent)
    .map(asTrial);
}

const fieldOf = ({ request }: Exchange, name: string): string =>
  request.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';

/** The same call of the same program, as far as can be seen. */
const identityOf = (call: Exchange): string =>
  JSON.stringify([
    call.request.method,
    call.request.target,
    call.request.body?.text ?? call.request.body?.base64 ?? '',
    fieldOf(call, 'x-api-key'),
    fieldOf(call, 'user-agent'),
  ]);

/** Two of them were under way at once: several callers, and nobody knows which of them a later one is of. */
const haveOverlap = (calls: readonly Exchange[]): boolean => {
  let latest = Number.NEGATIVE_INFINITY;
  for (const { at } of calls) {
    if (at.sent < latest) return true;
    latest = Math.max(latest, at.end);
  }
  return false;
};

function cut(calls: readonly Exchange[]): Exchange[][] {
  const parts: Exchange[][] = [];
  for (const call of calls) {
    const before = parts.at(-1)?.at(-1);
    if (before !== undefined && call.at.sent - before.at.end <= togetherMs + toldMs(before)) parts.at(-1)!.push(call);
    else parts.push([call]);
  }
  return parts;
}

function toldMs(call: Exchange): number {
  const [value = ''] = headerValues(call, 'retry-after');
  return /^\d{1,9}$/.test(value) ? Math.min(longestToldMs, Number(value) * 1000) : 0;
}

function asTrial(calls: readonly Exchange[], at: number): SeenTrial {
  const [first] = calls;
  const { method, target } = first!.request;
  const asks = method !== 'HEAD' && method !== 'OPTIONS';
  return {
    type: 'trial',
    number: at + 1,
    situation: 'passing',
    title: `${method} ${target.length > 100 ? `${target.slice(0, 100)}…` : target}`,
    key: kindOfKey(fieldOf(first!, 'x-api-key')) ?? 'live',
    connection: 'kept',
    actor: '',
    input: '',
    basePath: '',
    planted: { items: [], decoys: [] },
    calls,
    runs: asks ? calls.filter(isRun) : [],
    elsewhere: [],
    broken: 0,
    passing: true,
    ended: {
      outcome: 'unclear',
      output: '',
      errors: '',
      shown: [],
      keyIn: [],
      stalledMs: 0,
      left: 0,
      at: { started: first!.at.sent, end: calls.at(-1)!.at.end },
    },
  };
}
