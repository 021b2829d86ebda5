/** Which runs of others count as the same run: those that can no more have failed than the rule's own. */
import { expect, test } from 'vitest';
import { type Made, made } from '../../language/testing.ts';
import { cleanRunIsNotPartial } from './not-partial.ts';

const target = '/v1/actors/digest/run-sync-get-dataset-items';
const run = (more: Made = {}) =>
  made({
    method: 'POST',
    target,
    body: '{"text":"nabc"}',
    status: 200,
    answer: { items: [1], status: 'PARTIAL' },
    ...more,
  });
const own = run({ planted: { nonce: 'nabc', sources: [] } });
const source = { slot: 'ok', token: 't', behaviour: 'ok' };

test.each<[what: string, counts: boolean, other: ReturnType<typeof run>, asked?: ReturnType<typeof run>]>([
  ['the same with another nonce', true, run({ body: '{"text":"nxyz"}', planted: { nonce: 'nxyz', sources: [] } })],
  ['another input', false, run({ body: '{"text":"more"}' })],
  ['another actor', false, run({ target: target.replace('digest', 'relay') })],
  ['one that read a source', false, run({ planted: { nonce: 'nabc', sources: [source] } })],
  ['one that says something else', false, run({ answer: { items: [1], status: 'DONE' } })],
  ['a read', false, run({ method: 'GET' })],
  [
    'one whose input holds an address',
    false,
    run({ body: '{"url":"https://192.0.2.1/"}' }),
    run({ body: '{"url":"https://192.0.2.1/"}' }),
  ],
])('%s: %s', (_, counts, other, asked = own) => {
  const { includes, judge } = cleanRunIsNotPartial;
  const scene = {
    planted: new Map<string, number>(),
    worked: new Map<string, number>(),
    served: new Map<string, number>(),
    shown: new Map<string, never>(),
    actors: [],
  };
  const brought = [{ failed: null, clean: asked }];
  expect(includes(other, scene, brought)).toBe(counts);
  expect(includes(asked, scene, brought)).toBe(true);
  expect(judge(asked, scene, brought)).toMatchObject([{ weight: 'violation', came: '"PARTIAL"' }]);
});
