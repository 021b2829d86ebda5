/** Who waits as told, and who only seems not to. */
import { expect, it } from 'vitest';
import type { Exchange, Seen, SeenTrial } from '../../src/vocabulary.ts';
import { runsOnce } from './retrying.ts';
import { saysNoOtherAddress, waitsAsTold } from './waiting.ts';

const seen = { trials: [], manner: {}, telling: {} } as unknown as Seen;
const request = { method: 'POST', target: '/v1/actors/a/run-sync-get-dataset-items', headers: [] };
const limited = { status: 429, headers: [['Retry-After', '2']] };
const result = { status: 200, headers: [], body: { text: '{"items":[]}' } };

/** Two calls, the second so long after the first was answered, and how long this machine stood still. */
function trial(response: object, ms: number, stalledMs: number, again: object = request): SeenTrial {
  const runs = [
    { id: 1, at: { sent: 0, end: 10 }, request, response },
    { id: 2, at: { sent: 10 + ms, end: 20 + ms }, request: again, response: result },
  ] as unknown as Exchange[];
  return { situation: 'limited-two', runs, calls: runs, ended: { stalledMs } } as unknown as SeenTrial;
}

const accused = (rule: typeof waitsAsTold, of: SeenTrial): boolean => (rule.judge(of, seen) ?? []).length > 0;

it.each([
  ['a call at once', 80, 0, true],
  ['a call at once, while this machine stood still', 80, 900, false],
  ['a call too early, while this machine stood still', 900, 900, true],
  ['a call as told', 2000, 0, false],
])('%s', (_, ms, stalledMs, isSo) => {
  expect(accused(waitsAsTold, trial(limited, ms, stalledMs))).toBe(isSo);
});

it.each([
  ['a run again at once', 80, 0, true],
  ['a run again at once, while this machine stood still', 80, 900, false],
  ['a run again later, while this machine stood still', 900, 900, true],
])('%s', (_, ms, stalledMs, isSo) => {
  expect(accused(runsOnce, trial(result, ms, stalledMs))).toBe(isSo);
});

const from = (address: string): object => ({ ...request, headers: [['x-forwarded-for', address]] });

it('another address after a 429 is told from the same one', () => {
  const other = trial(limited, 2000, 0, from('10.0.0.7'));
  const first = { ...other.runs[0]!, request: from('10.0.0.7') } as Exchange;
  expect(accused(saysNoOtherAddress, other)).toBe(true);
  expect(accused(saysNoOtherAddress, { ...other, runs: [first, other.runs[1]!] })).toBe(false);
  expect(accused(saysNoOtherAddress, trial(limited, 2000, 0))).toBe(false);
});
