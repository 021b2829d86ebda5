/** A run that is interrupted anywhere leaves a file that can be read, and no key in the service. */
import { setTimeout as passing } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { adminToken, matrixKeys, tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';
import { interrupted } from '../http/failures.ts';
import type { Transport } from '../http/transport.ts';
import type { Journal } from '../model/journal.ts';
import type { Catalogue } from '../model/rule.ts';
import { outcomeOf, type RunRecord } from '../model/run.ts';
import { readRun } from '../runfile/read.ts';

const admin: Catalogue = {
  // What waits for seconds would be most of such a run.
  rules: catalogue.filter(({ id, waits }) => id.startsWith('admin.') && waits !== 'apart'),
  version: 'test',
  specification: 'test',
};

interface Watched {
  readonly wire: (transport: Transport) => Transport;
  /** Keys that the service has and had not before. */
  readonly live: ReadonlySet<string>;
}

/** Tears what listens to a signal, as a socket is torn: the service has done it all the same, and its answer never arrives. */
function watched(onExchange: (nth: number, method: string) => void, loses = (_: string): boolean => false): Watched {
  const live = new Set<string>();
  let nth = 0;
  const wire = (inner: Transport): Transport => ({
    release: (line) => inner.release(line),
    close: () => inner.close(),
    async send(request, route, limits) {
      nth += 1;
      const outcome = await inner.send(request, route, limits);
      const done = (outcome.response?.status ?? 500) < 300;
      if (done && request.method === 'POST' && request.target.includes('/admin/'))
        live.add(String(JSON.parse(Buffer.from(outcome.response?.body ?? []).toString()).id));
      if (done && request.method === 'DELETE') live.delete(decodeURIComponent(request.target.split('/').at(-1) ?? ''));
      onExchange(nth, request.method);
      const { response: _, ...torn } = outcome;
      if (loses(request.method)) return { ...torn, failure: { kind: 'reset-before-head', says: 'lost' } };
      return limits.signal?.aborted ? { ...torn, failure: interrupted('interrupted') } : outcome;
    },
  });
  return { wire, live };
}

const demo = demoProfile({ address: 'http://127.0.0.1:1001', adminToken, keys: matrixKeys });
const variant = { name: 'a test', options: {}, overlays: [] };
const textOf = (records: readonly RunRecord[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('an interruption', () => {
  it('at any exchange leaves a file that can be read, and no key', async () => {
    let exchanges = 0;
    const counting = watched(() => {
      exchanges += 1;
    });
    await tryOn(admin, variant, { depth: 'quick', seed: 1, wire: counting.wire });
    expect(exchanges).toBeGreaterThan(60);
    expect(counting.live).toEqual(new Set());
    let stopped = 0;
    for (let at = 1; at < exchanges; at += Math.ceil(exchanges / 40)) {
      const stop = new AbortController();
      const { wire, live } = watched((nth) => {
        if (nth === at) stop.abort(new Error('interrupted'));
      });
      const records: RunRecord[] = [];
      const run = await tryOn(admin, variant, {
        depth: 'quick',
        seed: 1,
        wire,
        signal: stop.signal,
        write: (record) => records.push(record),
      });
      // The last few exchanges are not in every run.
      if (!stop.signal.aborted) continue;
      stopped += 1;
      expect(outcomeOf(run)).toBe('interrupted');
      expect([at, [...live]]).toEqual([at, []]);
      expect(run.footer?.leftBehind).toEqual([]);
      expect(readRun(textOf(records)).footer?.interrupted).toBe(true);
    }
    expect(stopped).toBeGreaterThan(15);
  });
});

describe('a create that is under way', () => {
  it('is waited for before the keys are removed', async () => {
    const stop = new AbortController();
    const { wire: inner, live } = watched(() => {});
    let late = 0;
    const wire = (transport: Transport): Transport => {
      const own = inner(transport);
      return {
        ...own,
        async send(request, route, limits) {
          const creates = request.method === 'POST' && request.target.includes('/admin/');
          if (!creates || late > 0) return own.send(request, route, limits);
          late += 1;
          stop.abort(new Error('interrupted'));
          // The service makes the key only now, and answers.
          await passing(30);
          return own.send(request, route, { timeoutMs: 1000, maxBodyBytes: 1_000_000 });
        },
      };
    };
    const run = await tryOn(admin, variant, { depth: 'quick', seed: 1, wire, signal: stop.signal });
    expect(late).toBe(1);
    expect(outcomeOf(run)).toBe('interrupted');
    expect([...live]).toEqual([]);
    expect(run.footer?.leftBehind).toEqual([]);
  });
});

describe('a create whose answer is lost', () => {
  it('is found by its mark in the list of keys', async () => {
    let lost = 0;
    const { wire, live } = watched(
      () => {},
      (method) => method === 'POST' && lost++ < 3,
    );
    const profile = {
      admin: { ...demo.admin, create: { ...demo.admin.create, body: { tier: '{tier}', label: '{mark}' } } },
    };
    const run = await tryOn(admin, { ...variant, profile }, { depth: 'quick', seed: 1, wire });
    expect(lost).toBeGreaterThan(2);
    expect([...live]).toEqual([]);
    expect(run.footer?.leftBehind).toEqual([]);
  });
});

describe('a run file that cannot be written any more', () => {
  it('ends the run at once, and the journal names every key that is left', async () => {
    let left = 0;
    for (let at = 20; at < 200; at += 6) {
      const { wire, live } = watched(() => {});
      const kept = new Map<string, string | undefined>();
      const journal: Journal = {
        creating: (name) => void kept.set(name, undefined),
        created: (name, id) => void kept.set(name, id),
        gone: (name) => void kept.delete(name),
      };
      let nth = 0;
      const write = (): void => {
        nth += 1;
        if (nth === at) throw new Error('no space is left on the disk');
      };
      const ended = tryOn(admin, variant, { depth: 'quick', seed: 1, wire, write, journal });
      await expect(ended).rejects.toThrow('no space is left on the disk');
      const named = [...kept.values()].filter((id) => id !== undefined);
      const unnamed = [...live].filter((id) => !named.includes(id));
      expect([at, unnamed.length]).toEqual([at, Math.min(unnamed.length, kept.size - named.length)]);
      left += unnamed.length;
    }
    // Among them are keys whose answer was the one that could not be written.
    expect(left).toBeGreaterThan(0);
  });
});

describe('a run that may take only so long', () => {
  it.each([1, 30, 100])(
    'ends by itself after %s ms: incomplete, tidied up, and not interrupted',
    async (maxDurationMs) => {
      const { wire, live } = watched(() => {});
      const slow = { ...variant, areas: ['admin'] };
      const run = await tryOn(admin, slow, { depth: 'standard', seed: 1, wire, maxDurationMs });
      expect(run.footer?.interrupted).toBeUndefined();
      expect(run.footer?.remarks.at(-1)).toContain('--max-duration');
      expect(outcomeOf(run)).toBe('incomplete');
      expect([...live]).toEqual([]);
      expect(run.footer?.counts.fail).toBe(0);
    },
  );

  it('leaves out what only deepens before it leaves anything without a verdict', async () => {
    const areas = ['admin'];
    const { footer } = await tryOn(admin, { ...variant, areas }, { depth: 'standard', seed: 1 });
    const maxDurationMs = footer!.tookMs / 2;
    const run = await tryOn(admin, { ...variant, areas }, { depth: 'standard', seed: 1, maxDurationMs });
    const deepened = run.findings.filter(({ asked }) => asked.leftOut.length > 0);
    expect(deepened.length).toBeGreaterThan(0);
    expect(deepened.some(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(run.footer?.remarks[0]).toMatch(/^\d+ further contexts were skipped, because the time of the run/);
  });
});
