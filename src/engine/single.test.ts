/** A server that answers one connection at a time, and the next one when that is closed: judged with `--concurrency 1`. */
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { createService, demoKeys, listen, MemoryStore, seedsOf } from '../../fixtures/service/index.ts';
import { catalogue } from '../../suites/index.ts';
import { checkWith } from '../check.ts';
import { outcomeOf } from '../model/run.ts';
import { profileFrom } from '../profile/parse.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** A new connection waits until the one before is closed. */
async function oneAtATime(port: number): Promise<{ url: string }> {
  const waiting: Socket[] = [];
  let open = 0;
  const next = (): void => {
    const socket = open === 0 ? waiting.shift() : undefined;
    if (socket === undefined) return;
    open += 1;
    const inner = connect(port, '127.0.0.1');
    for (const each of [socket, inner]) each.on('error', () => {});
    socket.once('close', () => {
      inner.destroy();
      open -= 1;
      next();
    });
    inner.once('close', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  };
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(socket);
    next();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port: own } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${own}` };
}

it('gets the verdicts of any other', { timeout: 120_000 }, async () => {
  const keys = demoKeys('one-at-a-time');
  const service = createService({
    store: new MemoryStore(),
    keys: seedsOf(keys),
    adminToken: 'the-token-of-one',
    upstreamTimeoutMs: 200,
    keyLimits: false,
    addressLimit: false,
  });
  const listening = await listen(service);
  closers.push(() => listening.close());
  const { url } = await oneAtATime(listening.port);
  const written = demoProfile({ address: url, adminToken: 'the-token-of-one', keys });
  const bounds = { timeout: '3s', upstream: '300ms', revocation: '500ms' };
  const profile = profileFrom({ ...written, bounds }, { source: 'a test', env: {}, readFile: () => '' });
  const rules = catalogue.filter(({ id }) => /^(?:verify|auth|run|partial|upstream|error|admin|input)\./.test(id));
  const run = await checkWith({ rules, version: 'test', specification: 'test' }, profile, {
    depth: 'standard',
    seed: 3,
    concurrency: 1,
  });
  const odd = run.findings.filter(({ verdict }) => ['fail', 'warn', 'inconclusive', 'error'].includes(verdict));
  expect(odd.map(({ rule, verdict, because, reasons }) => [rule, verdict, because, reasons[0]])).toEqual([]);
  expect(outcomeOf(run)).toBe('conforms');
  expect(run.footer?.remarks.join(' ')).toContain('one at a time (--concurrency 1)');
  const exchanges = [...run.exchanges.values()].toSorted((one, other) => one.at.sent - other.at.sent);
  const leaving = run.steps.filter(({ rule }) => rule === 'upstream.callers-may-leave');
  const left = new Set(leaving.flatMap(({ sent = [] }) => sent));
  expect(exchanges.filter(({ id, failure }) => failure !== undefined && !left.has(id))).toEqual([]);
  // What only waits is no exception.
  const atOnce = exchanges.filter((each, at) => at > 0 && each.at.sent < exchanges[at - 1]!.at.end);
  expect(atOnce.map(({ id }) => id)).toEqual([]);
});
