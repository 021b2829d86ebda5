import { expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import type { Rule } from '../model/rule.ts';
import { judgeStep } from './judge.ts';

const rule = { id: 'a.rule', needs: [], answering: true, judge: () => [] } as unknown as Rule;
const response = { status: 200, headers: [], body: { bytes: 2 } };
const answered = { id: 1, purpose: 'ask', request: {}, at: {}, response } as unknown as Exchange;

it('a twin whose answer was torn after a head that says 200 has not succeeded', () => {
  const torn = { ...answered, failure: { kind: 'too-slow', says: 'The body did not end in time.' } } as Exchange;
  expect(judgeStep(rule, { about: {}, evidence: [], twin: answered }).kind).toBe('judged');
  expect(judgeStep(rule, { about: {}, evidence: [], twin: torn })).toEqual({
    kind: 'inconclusive',
    because: 'the twin request, which must succeed, got no complete answer: The body did not end in time.',
  });
});

it('a body that nobody can read keeps no rule by its status, and may break one', () => {
  const unread = { ...answered, failure: { kind: 'bad-coding', says: 'The body is no gzip.' } } as Exchange;
  const breaking = {
    ...rule,
    judge: () => [{ weight: 'violation', expected: 'JSON', came: 'none' }],
  } as unknown as Rule;
  expect(judgeStep(rule, { about: {}, evidence: [answered] }).kind).toBe('judged');
  expect(judgeStep(rule, { about: {}, evidence: [unread] })).toEqual({
    kind: 'inconclusive',
    because: 'the body is not in the declared coding and cannot be read (exchange 1)',
  });
  expect(judgeStep(breaking, { about: {}, evidence: [unread] }).kind).toBe('judged');
});

it('what a file says of a step that was answered is not believed: it is derived', () => {
  const gated = {
    ...rule,
    given: (exchange: Exchange) => [exchange.id === 1 ? undefined : { inapplicable: 'another exchange' }],
  } as unknown as Rule;
  const written = { about: {}, evidence: [answered], inapplicable: 'a claim' };
  expect(judgeStep(gated, written).kind).toBe('judged');
  expect(judgeStep(gated, { about: {}, evidence: [{ ...answered, id: 2 }] })).toEqual({
    kind: 'inapplicable',
    because: 'another exchange',
  });
  expect(judgeStep(gated, { about: {}, evidence: [], inapplicable: 'no such key' }).kind).toBe('inapplicable');
});

it('a search for a limit that ended without a result shuts the gate', () => {
  const ended = (inapplicable: boolean) => ({ near: { ended: 'no time was left', inapplicable } });
  expect(judgeStep(rule, { about: {}, evidence: [ended(false)] }).kind).toBe('inconclusive');
  expect(judgeStep(rule, { about: {}, evidence: [ended(true)] }).kind).toBe('inapplicable');
});

it('a body that was cut off is no obstacle to a rule that looks at the status alone', () => {
  const cut = { ...answered, response: { ...response, body: { bytes: 2, truncated: true } } } as unknown as Exchange;
  expect(judgeStep(rule, { about: {}, evidence: [cut] })).toEqual({
    kind: 'inconclusive',
    because: 'the body was larger than the profile allows, or split or nested too much (exchange 1)',
  });
  const byStatus = { ...rule, byStatus: true } as unknown as Rule;
  expect(judgeStep(byStatus, { about: {}, evidence: [cut] }).kind).toBe('judged');
  expect(judgeStep(byStatus, { about: {}, evidence: [cut], twin: cut }).kind).toBe('inconclusive');
});

it('a service that hangs up on HTTP/1.0 does what it may; one that hangs up on HTTP/1.1 leaves it open', () => {
  const unanswered = (version: string): Exchange =>
    ({
      id: 7,
      purpose: 'ask',
      request: { head: `GET / HTTP/${version}\r\nHost: a\r\n` },
      at: {},
      failure: { kind: 'closed-before-head', says: 'The connection was closed.' },
    }) as unknown as Exchange;
  const plain = { ...rule, answering: false } as unknown as Rule;
  expect(judgeStep(plain, { about: {}, evidence: [unanswered('1.0')] })).toEqual({
    kind: 'inapplicable',
    because: 'the service answers no HTTP/1.0 (exchange 7), as it may',
  });
  expect(judgeStep(plain, { about: {}, evidence: [unanswered('1.1')] }).kind).toBe('inconclusive');
  // What looks for limits asks many things: one that was not answered takes nothing with it.
  const probing = { ...plain, needs: ['limits'] } as unknown as Rule;
  expect(judgeStep(probing, { about: {}, evidence: [answered] }).kind).toBe('judged');
  expect(judgeStep(probing, { about: {}, evidence: [answered, unanswered('1.0')] }).kind).not.toBe('inapplicable');
});
