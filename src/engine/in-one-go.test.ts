/** Connections of rules with many cases: those of a caller who goes through a list, and one of its own for what is asked again. */
import { describe, expect, it } from 'vitest';
import type { Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import type { Run } from '../model/run.ts';

const admits = catalogue.filter(({ id }) => id === 'input.schema-admits');

const asked = (rules = admits, ...overlays: Overlay[]): Promise<Run> =>
  tryOn(
    { rules, version: rulesVersion, specification: 'none' },
    { name: 'reference', overlays },
    { depth: 'quick', seed: 1 },
  );

/** How many questions came first on their connection, of how many. */
function opened({ exchanges, steps }: Run, purpose: string): readonly [number, number] {
  const of = steps.filter((step) => step.purpose === purpose).flatMap((step) => step.exchanges);
  const uses = of.map((id) => exchanges.get(id)?.connection?.use);
  return [uses.filter((use) => use === 1).length, uses.length];
}

describe('a rule with many cases', () => {
  it('keeps its connections for some questions', async () => {
    const [first, all] = opened(await asked(), 'plan');
    expect(all).toBeGreaterThan(100);
    expect(first).toBeGreaterThan(all / 20);
    expect(first).toBeLessThan(all / 2);
  });

  it('opens one for each if it does not say so', async () => {
    const { inOneGo: _, ...plain } = admits[0]!;
    const [first, all] = opened(await asked([plain as (typeof admits)[number]]), 'plan');
    expect(first).toBeGreaterThan(all * 0.9);
  });

  it('has a new connection for what is asked again', async () => {
    const lie: Overlay = (base) => ({
      answer: async (call) => {
        const answer = await base.answer(call);
        return call.route.kind === 'run' && call.request.connection.nth % 3 === 2 ? { ...answer, status: 422 } : answer;
      },
    });
    const [first, all] = opened(await asked(admits, lie), 'again');
    expect(all).toBeGreaterThan(0);
    expect(first).toBe(all);
  });
});

it('a question of many calls uses no connection for longer than ordinary callers do', async () => {
  const { exchanges, steps } = await asked(catalogue.filter(({ id }) => id === 'run.values-are-kept'));
  const uses = steps.flatMap((step) => step.sent ?? []).map((id) => exchanges.get(id)!.connection.use);
  expect(uses.length).toBeGreaterThan(20);
  expect(uses.filter((use) => use === 1).length).toBeGreaterThan(1);
  expect(Math.max(...uses)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...uses)).toBeLessThanOrEqual(14);
});
