/** Clients that spell the key's header in their own way ask only a service that finds a key so, wherever it reads one. */
import { expect, it } from 'vitest';
import type { Overlay } from '../../fixtures/service/service.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';
import type { Run } from '../model/run.ts';

const rules = {
  rules: catalogue.filter(({ id }) => /^(?:verify|run|actor)\./.test(id)),
  version: '1',
  specification: '1',
};

const run = (...overlays: Overlay[]): Promise<Run> =>
  tryOn(rules, { name: 'a test', overlays }, { depth: 'standard', seed: 3 });

const respelled = ({ exchanges }: Run): number =>
  [...exchanges.values()].filter(
    ({ purpose, request }) => purpose === 'ask' && request.headers.some(([name]) => name === 'X-Api-Key'),
  ).length;

/** Finds no key of that spelling on this kind of route. */
const verbatimAt =
  (kind: string): Overlay =>
  (base) => ({
    presentedKey: (call) =>
      call.route.kind === kind && call.request.headers.some(([name]) => name === 'X-Api-Key')
        ? undefined
        : base.presentedKey(call),
  });

it('ask what finds the key in any spelling', async () => {
  expect(respelled(await run())).toBeGreaterThan(10);
});

it.each(['verify', 'read', 'run'])(
  'ask nothing else where %s wants one spelling, and nothing fails for it',
  async (kind) => {
    const met = await run(verbatimAt(kind));
    expect(respelled(met)).toBe(0);
    expect(met.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  },
);
