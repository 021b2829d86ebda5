import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import { Breaths } from './breaths.ts';
import type { Sending } from './sending.ts';

const answer = (status: number, retryAfter?: string): Exchange =>
  ({
    response: { status, headers: retryAfter === undefined ? [] : [['retry-after', retryAfter]] },
  }) as unknown as Exchange;
const sending = {} as Sending;
const ofSource = { planted: { sources: [{ behaviour: 'status-503' }] } } as unknown as Sending;

describe('a service that is too busy', () => {
  it.each([
    ['says how long, and it is a moment', answer(503, '1'), sending, 1000],
    ['asks for longer than a moment', answer(503, '30'), sending, undefined],
    ['does not say how long', answer(503), sending, undefined],
    ['says a date', answer(503, 'Sat, 28 Nov 2026 10:00:00 GMT'), sending, undefined],
    ['has another status', answer(500, '1'), sending, undefined],
    ['says what its source was told to say', answer(503, '1'), ofSource, undefined],
    ['is asked by a rule that wants to know', answer(503, '1'), { ...sending, once: true } as Sending, undefined],
  ])('%s', (_, exchange, asked, ms) => {
    expect(new Breaths().after(exchange, asked, 0, 60_000)).toBe(ms);
  });

  it('is waited for a few times, and within the patience of the profile', () => {
    const breaths = new Breaths();
    expect(breaths.after(answer(503, '2'), sending, 0, 1500)).toBeUndefined();
    expect(breaths.after(answer(503, '2'), sending, 3, 60_000)).toBe(2000);
    expect(breaths.after(answer(503, '2'), sending, 4, 60_000)).toBeUndefined();
  });

  it('is waited for no more where that never helped', () => {
    const breaths = new Breaths();
    for (let call = 0; call < 3; call += 1) expect(breaths.after(answer(503, '1'), sending, 4, 60_000)).toBeUndefined();
    expect(breaths.after(answer(503, '1'), sending, 0, 60_000)).toBeUndefined();
    const helped = new Breaths();
    helped.after(answer(503, '1'), sending, 4, 60_000);
    helped.after(answer(200), sending, 1, 60_000);
    for (let call = 0; call < 2; call += 1) helped.after(answer(503, '1'), sending, 4, 60_000);
    expect(helped.after(answer(503, '1'), sending, 0, 60_000)).toBe(1000);
  });
});
