/** What an exhausted key in disguise is told counts only where its address serves others. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import type { Key } from '../../model/subject.ts';
import type { Call } from './call.ts';
import { disguised } from './disguises.ts';
import type { Ground } from './ground.ts';
import { Prober } from './prober.ts';

const keyOf = (name: string): Key => ({ name }) as Key;
const exhausted = keyOf('exhausted');
const places = [{ from: 'open' }, { from: 'shut' }];

/** Every call in order, each taking a millisecond. */
function asked(isServed: (call: Call) => boolean, more: object = {}) {
  let now = 0;
  let id = 0;
  const send = async (call: Call): Promise<Exchange> => {
    id += 1;
    now += 1;
    const at = { sent: now - 1, head: now, end: now };
    const response = { status: isServed(call) ? 200 : 429, headers: [] };
    return { id, from: call.from, request: { headers: [] }, response, at } as unknown as Exchange;
  };
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  const prober = new Prober({ now: () => now, sleep, send }, { maxRequests: 50_000, maxSeconds: 900 });
  const options = { routes: ['verify'], ...more };
  const who = { keys: [exhausted], from: 'open' };
  const on = { prober, options, who, key: exhausted, route: 'verify', burst: 4, restMs: 100 } as unknown as Ground;
  return disguised(on, { others: [keyOf('rested')], places });
}

const fromOf = (exchange: Exchange | undefined): unknown => (exchange as unknown as { from?: string })?.from;

test('one that is refused where nobody is served is asked again elsewhere', async () => {
  const seen = await asked(({ key, from }) => key !== exhausted && from !== 'shut');
  expect(seen.length).toBeGreaterThan(10);
  for (const { answers } of seen) expect(answers.map(fromOf)).toEqual(['open']);
});

test('one that is refused where nobody is ever served has no answer', async () => {
  const seen = await asked(() => false);
  expect(seen.map(({ answers }) => answers)).toEqual(seen.map(() => []));
});

test('a header that frees the key is found among all that were sent at once', async () => {
  const isFree = ({ disguise }: Call): boolean => disguise?.headers?.some(([name]) => name === 'X-Debug') ?? false;
  const seen = await asked((call) => call.from !== 'shut' && (call.key !== exhausted || isFree(call)));
  const served = seen.filter(({ answers }) => answers.some(({ response }) => response?.status === 200));
  expect(served.filter(({ together }) => together !== true).map(({ other }) => other)).toEqual([
    'with another X-Debug',
  ]);
  expect(seen.length).toBeLessThan(40);
});

test('where one place has no room for all bursts, the next one is called from, and nobody waits', async () => {
  const isFree = ({ disguise }: Call): boolean => disguise?.keyHeader !== undefined;
  const addressLimit = { requests: 16, perMs: 100 };
  const seen = await asked((call) => call.key !== exhausted || isFree(call), { addressLimit });
  const bursts = seen.flatMap((each) => (each.bursts.length > 3 ? [each.bursts.flat()] : []));
  expect(bursts.length).toBeGreaterThan(0);
  for (const calls of bursts) {
    expect(new Set(calls.map(fromOf))).toEqual(new Set(['open', 'shut']));
    expect(calls.at(-1)!.at.end - calls[0]!.at.sent).toBeLessThan(addressLimit.perMs / 2);
  }
});
