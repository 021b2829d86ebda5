import { expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import type { Rule } from '../model/rule.ts';
import { judgeStep } from './judge.ts';

const rule = { id: 'a.rule', needs: [], answering: true, judge: () => [] } as unknown as Rule;
const answered = { id: 1, response: { status: 200, headers: [], body: { bytes: 2 } } } as unknown as Exchange;

it('a twin whose answer was torn after a head that says 200 has not succeeded', () => {
  const torn = { ...answered, failure: { kind: 'too-slow', says: 'The body did not end in time.' } } as Exchange;
  expect(judgeStep(rule, { evidence: [], twin: answered }).kind).toBe('judged');
  expect(judgeStep(rule, { evidence: [], twin: torn })).toEqual({
    kind: 'inconclusive',
    because: 'the twin request, which must succeed, got no whole answer: The body did not end in time.',
  });
});
