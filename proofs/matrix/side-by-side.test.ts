import { expect, it } from 'vitest';
import { factorOf, firstCallWindow, limiting, ofKey } from '../../fixtures/limiters/index.ts';
import { layered, type Overlay } from '../../fixtures/service/index.ts';
import { presentedKey } from '../../src/model/exchange.ts';
import type { Run } from '../../src/model/run.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from './try-on.ts';

const rules = {
  rules: catalogue.filter((rule) => !rule.needs.includes('disabled')),
  version: rulesVersion,
  specification: 'matrix',
};

const windows = limiting((tier) => firstCallWindow(4 * factorOf(tier), 1000));

const look = (more: Readonly<Record<string, unknown>> = {}, ...overlays: readonly Overlay[]): Promise<Run> =>
  tryOn(
    rules,
    {
      name: 'windows of a second',
      overlays: overlays.length === 0 ? [windows] : overlays,
      areas: ['limit'],
      profile: { limits: { max_requests: 10_000, max_seconds: 300, ...more } },
    },
    { depth: 'quick', seed: 3 },
  );

/** The networks of this machine that keys called from, of those that only crews call from. */
const networksOf = (run: Run): readonly string[] =>
  [
    ...new Set(
      [...run.exchanges.values()]
        .filter((exchange) => presentedKey(exchange) !== '')
        .map(({ connection }) => connection?.localAddress?.split('.')[2] ?? ''),
    ),
  ]
    .filter((network) => Number(network) >= 10 && Number(network) < 30)
    .toSorted();

const shortMs = ({ footer }: Run): number => footer?.tookMs ?? Number.POSITIVE_INFINITY;

it('looks at limits from several addresses at the same time, and leaves no key behind', async () => {
  const run = await look();
  expect(networksOf(run)).toEqual(['10', '11', '12', '13', '14', '15']);
  expect(run.footer?.leftBehind).toEqual([]);
  expect(run.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
});

it('fits models at the end where calls are few, by the keys of the profile', async () => {
  const run = await look({ max_requests: 3000 });
  expect(networksOf(run)).toEqual(['10', '11', '12', '13', '14']);
  const key = run.limits?.find(({ tier }) => tier === 'pro');
  expect(key?.caller).toBe('main');
});

it('takes longer where callers are told apart by a header alone', async () => {
  const beside = await look();
  const inTurn = await look({ trusted_header: 'X-Forwarded-For' });
  expect(networksOf(inTurn)).toEqual([]);
  expect(shortMs(inTurn)).toBeGreaterThan(shortMs(beside));
});

it('goes back to one after the other where made keys share an account', async () => {
  const shared = layered(
    limiting((tier) => firstCallWindow(4 * factorOf(tier), 1000), {
      nameOf: (call) => (call.key?.label === 'configured' ? ofKey(call) : call.key && 'all that were made'),
    }),
  );
  const run = await look({}, shared);
  // All of them were exhausted once, to see whether they are alike.
  const from = [...run.exchanges.values()].filter(({ connection }) =>
    connection?.localAddress?.startsWith('127.0.12.'),
  );
  expect(from.length).toBeGreaterThan(0);
  expect(from.length).toBeLessThan(60);
  expect(run.footer?.leftBehind).toEqual([]);
  expect(run.findings.find(({ rule }) => rule === 'limit.every-key')?.verdict).toBe('warn');
});
