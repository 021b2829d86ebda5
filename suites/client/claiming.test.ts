/** Who says that a run succeeded must have been told so; and what was not seen to its end is not judged. */
import { describe, expect, it } from 'vitest';
import type { Exchange, Reason, Seen, SeenTrial } from '../../src/vocabulary.ts';
import { claimsNoSuccess } from './claiming.ts';
import { givesUp, repeatsNoRefusal, runsOnce } from './retrying.ts';

const seen = { trials: [], manner: {}, telling: {} } as unknown as Seen;

const call = (status: number, text: string, sent = 0): Exchange =>
  ({
    id: sent + 1,
    at: { sent, end: sent + 10 },
    request: { method: 'POST', target: '/v1/actors/a/run-sync-get-dataset-items', headers: [], head: '' },
    response: { status, head: '', headers: [], body: { text, bytes: text.length } },
  }) as unknown as Exchange;

const trial = (outcome: string, runs: readonly Exchange[], more: object = {}): SeenTrial =>
  ({
    situation: 'complete',
    runs,
    calls: runs,
    elsewhere: [],
    broken: 0,
    ended: { outcome, exit: 0, at: { started: 0, end: 1000 }, ...more },
  }) as unknown as SeenTrial;

const judged = (outcome: string, ...runs: readonly Exchange[]): readonly Reason[] | undefined =>
  claimsNoSuccess.judge(trial(outcome, runs), seen);

describe('a claim of success', () => {
  it.each([
    ['complete', [], 'violation'],
    ['partial', [], 'violation'],
    ['complete', [call(200, '{"status":"SUCCEEDED"}')], 'warning'],
    ['complete', [call(200, '{"error":"internal","detail":"x"}')], 'warning'],
    ['complete', [call(200, '{"items":null,"status":"SUCCEEDED"}')], 'warning'],
    ['complete', [call(200, '{"items":{"a":1},"status":"SUCCEEDED"}')], 'warning'],
    ['complete', [call(200, '[{"id":1}]')], 'warning'],
    ['complete', [call(200, '{"items":[{"id":1},{"i')], 'violation'],
    ['complete', [call(500, '{"error":"internal"}')], 'violation'],
  ] as const)('%s after %j', (outcome, runs, weight) => {
    expect(judged(outcome, ...runs)?.map((each) => each.weight)).toEqual([weight]);
  });

  it('names what it rests on', () => {
    expect(judged('complete')?.[0]?.came).toContain('it made no call');
    expect(judged('complete', call(200, '{}'))?.[0]?.came).toContain('200 without a list in `items`');
  });

  it.each([
    ['failed', [], undefined],
    ['unclear', [], undefined],
    ['failed', [call(200, '{"items":null}')], []],
    ['unclear', [call(200, '{}')], []],
    ['complete', [call(200, '{"items":[]}')], undefined],
  ] as const)('that is none: %s after %j', (outcome, runs, reasons) => {
    expect(judged(outcome, ...runs)).toEqual(reasons);
  });
});

describe('repetitions', () => {
  it('of a client that Touchstone ended show nothing, unless they were many', () => {
    const few = [call(500, '', 0), call(500, '', 1000)];
    const many = Array.from({ length: 12 }, (_, at) => call(500, '', at * 100));
    expect(givesUp.judge(trial('unclear', few, { stopped: 'late' }), seen)).toBeUndefined();
    expect(givesUp.judge(trial('unclear', few, { stopped: 'enough' }), seen)).toBeUndefined();
    expect(givesUp.judge(trial('unclear', many, { stopped: 'late' }), seen)).toHaveLength(1);
    expect(givesUp.judge(trial('failed', few), seen)).toEqual([]);
  });

  it('are told by what was sent, not by what the client has seen', () => {
    const refused = [call(403, '{}', 0), call(403, '{}', 100)];
    expect(repeatsNoRefusal.judge(trial('failed', refused), seen)?.[0]?.came).toContain('after that answer was sent');
    const done = [call(200, '{"items":[]}', 0), call(200, '{"items":[]}', 100)];
    expect(runsOnce.judge(trial('complete', done), seen)?.[0]?.came).toContain('after its answer of success was sent');
    const both = [call(200, '{"items":[]}', 0), call(200, '{"items":[]}', 4)];
    expect(runsOnce.judge(trial('complete', both), seen)?.[0]?.came).toContain('after it was sent');
    // Its own time-out: the machine may have held up an answer.
    const late = [{ ...both[0]!, at: { sent: 0, end: 4000 } }, call(200, '{"items":[]}', 3000)] as Exchange[];
    expect(runsOnce.judge(trial('complete', late), seen)).toEqual([]);
    expect(runsOnce.judge({ ...trial('complete', both), situation: 'slow' }, seen)).toEqual([]);
    expect(runsOnce.judge({ ...trial('complete', both), passing: true }, seen)).toEqual([]);
    const takenBack = { ...refused[0]!, failure: { kind: 'interrupted', says: '' } } as Exchange;
    expect(repeatsNoRefusal.judge(trial('failed', [takenBack, refused[1]!]), seen)).toEqual([]);
  });
});
