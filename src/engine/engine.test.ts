import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Overlay, ServiceOptions } from '../../fixtures/service/index.ts';
import { adminToken, matrixKeys, type Trial, tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';
import { checkWith } from '../check.ts';
import type { Catalogue } from '../model/rule.ts';
import { outcomeOf, type Run } from '../model/run.ts';
import { profileFrom } from '../profile/parse.ts';
import { deriveFindings } from '../verdict/derive.ts';

const rules: Catalogue = { rules: catalogue, version: 'test', specification: 'test' };
const own = (...ids: string[]): Catalogue => ({
  ...rules,
  rules: catalogue.filter((rule) => ids.some((id) => rule.id.startsWith(id))),
});
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A raw server that does one thing with each connection. */
async function listening(onSocket: (socket: Socket, nth: number) => void): Promise<string> {
  let nth = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    nth += 1;
    onSocket(socket, nth);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const profileAt = (address: string, more: Record<string, unknown> = {}) =>
  profileFrom(
    {
      address,
      keys: { main: { value: 'vk_live_0123456789abcdef', test: true } },
      actors: { clean: { name: 'some-actor', input: {} } },
      bounds: { timeout: '300ms', deadline: '2s' },
      ...more,
    },
    { source: 'a test', env: {}, readFile: () => '' },
  );

const counted = (run: Run) => Object.fromEntries(Object.entries(run.footer!.counts).filter(([, count]) => count > 0));
const variant = (options: Partial<ServiceOptions> = {}, lie?: Overlay) => ({
  name: 'a test',
  options,
  overlays: lie === undefined ? [] : [lie],
});
const quick: Trial = { depth: 'quick', seed: 1 };

describe('a target that cannot be judged', () => {
  it('is unreachable where nobody listens', async () => {
    const run = await checkWith(rules, profileAt('http://127.0.0.1:1'), { depth: 'quick' });
    expect(outcomeOf(run)).toBe('unreachable');
    expect(run.footer?.counts.pass).toBe(0);
    expect(run.footer?.exchanges).toBe(1);
  });

  it.each([
    ['never answers', () => {}],
    ['speaks no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['hangs up', (socket: Socket) => socket.destroy()],
  ])('is unreachable where it %s', async (_, onSocket) => {
    const run = await checkWith(rules, profileAt(await listening(onSocket)), { depth: 'quick' });
    expect(outcomeOf(run)).toBe('unreachable');
    expect(run.findings.filter((finding) => finding.verdict === 'pass')).toEqual([]);
  });

  it('is incomplete where it stops answering in the middle', async () => {
    const address = await listening((socket, nth) => {
      if (nth > 6) return;
      socket.on('data', () =>
        socket.end('HTTP/1.1 401 No\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}'),
      );
    });
    const run = await checkWith(own('verify.', 'auth.'), profileAt(address), { depth: 'quick', seed: 1 });
    expect(run.footer?.remarks.join(' ')).toContain('stopped answering');
    expect(run.findings.some((finding) => finding.verdict === 'inconclusive')).toBe(true);
    expect(outcomeOf(run)).not.toBe('conforms');
  });

  it('passes nothing where it answers the same page to everything', async () => {
    const page = '<html>Welcome to nginx!</html>';
    const address = await listening((socket) => {
      socket.on('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`),
      );
    });
    const run = await checkWith(own('verify.', 'auth.', 'run.', 'actor.'), profileAt(address), { depth: 'quick' });
    expect(outcomeOf(run)).toBe('violation');
    const passed = run.findings.filter((finding) => finding.verdict === 'pass').map((finding) => finding.rule);
    // What it really does is answer, on one connection. That it does not say PARTIAL is no merit: it says nothing.
    expect(passed).toEqual(['run.keep-alive']);
  });

  it('is not followed elsewhere', async () => {
    let elsewhere = 0;
    const other = await listening(() => {
      elsewhere += 1;
    });
    const address = await listening((socket) => {
      socket.on('data', () => socket.write(`HTTP/1.1 302 Found\r\nLocation: ${other}/\r\nContent-Length: 0\r\n\r\n`));
    });
    const run = await checkWith(own('verify.'), profileAt(address), { depth: 'quick' });
    expect(elsewhere).toBe(0);
    expect(run.findings.find((finding) => finding.rule === 'verify.valid-key')?.reasons[0]?.came).toBe('302');
  });
});

describe('a run', () => {
  it('gives the same verdicts whatever the seed', async () => {
    const runs = await Promise.all([1, 2, 3].map((seed) => tryOn(rules, variant(), { depth: 'quick', seed })));
    const told = runs.map((run) => run.findings.map(({ rule, verdict }) => `${rule} ${verdict}`));
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
    expect(counted(runs[0]!)).not.toHaveProperty('fail');
  });

  it('asks the same in the same order for the same seed', async () => {
    const asked = async () => {
      const run = await tryOn(rules, variant(), quick);
      return [...run.exchanges.values()].map(({ request }) => request.head);
    };
    expect(await asked()).toEqual(await asked());
  });

  it('judges what was written down as it judged it live', async () => {
    const lie: Overlay = (base) => ({
      errorBody: (call, refusal, status) => (status === 404 ? {} : base.errorBody(call, refusal, status)),
      verifyBody: (call) => ({ valid: call.key?.kind === 'live', tier: 'pro' }),
    });
    const run = await tryOn(rules, variant({}, lie), { depth: 'standard', seed: 4 });
    const stored = JSON.parse(JSON.stringify({ steps: run.steps, exchanges: [...run.exchanges] })) as {
      steps: Run['steps'];
      exchanges: [number, never][];
    };
    const again = deriveFindings(
      {
        planned: run.header.planned,
        profile: run.header.profile,
        steps: stored.steps,
        exchanges: new Map(stored.exchanges),
      },
      catalogue,
    );
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(run.findings)));
    expect(outcomeOf(run)).toBe('violation');
  });

  it('describes where a failure is, when it is not everywhere', async () => {
    const lie: Overlay = (base) => ({
      verifyBody: (call, record) =>
        record.kind === 'test' && call.request.connection.nth > 1 ? { valid: true } : base.verifyBody(call, record),
    });
    const run = await tryOn(own('verify.valid-key'), variant({}, lie), { depth: 'standard', seed: 1 });
    expect(run.findings[0]).toMatchObject({ verdict: 'fail', where: 'with a test key on a kept connection' });
  });

  it('says how often a failure came back', async () => {
    let told = false;
    const lie: Overlay = (base) => ({
      verifyBody: (call, record) => {
        if (told || record.kind !== 'test') return base.verifyBody(call, record);
        told = true;
        return { valid: false };
      },
    });
    const run = await tryOn(own('verify.valid-key'), variant({}, lie), { depth: 'standard', seed: 1 });
    expect(run.findings[0]?.verdict).toBe('fail');
    expect(run.findings[0]?.seen).toEqual({ times: 1, of: 5 });
  });

  it('waits out a tight limit, and says for whom', async () => {
    const keyLimits = Object.fromEntries(['free', 'pro', 'scale'].map((tier) => [tier, { burst: 4, perSecond: 2 }]));
    const run = await tryOn(own('verify.', 'access.'), variant({ keyLimits }), quick);
    expect(counted(run)).not.toHaveProperty('fail');
    expect(counted(run)).not.toHaveProperty('inconclusive');
    expect(run.footer?.waits.some((wait) => wait.who === 'main' && wait.ms > 0)).toBe(true);
    expect(outcomeOf(run)).toBe('conforms');
  });

  it('waits for longer than half of its patience, where that is what it is asked for', async () => {
    const keyLimits = Object.fromEntries(['free', 'pro', 'scale'].map((tier) => [tier, { burst: 1, perSecond: 0.05 }]));
    const run = await tryOn(
      own('verify.valid-key'),
      { ...variant({ keyLimits }), profile: { bounds: { max_wait: '10m', patience: '30s' } } },
      quick,
    );
    expect(counted(run)).toEqual({ pass: 1 });
  });

  it('leaves deepening contexts out by name where waiting would stretch it', async () => {
    const keyLimits = Object.fromEntries(['free', 'pro', 'scale'].map((tier) => [tier, { burst: 2, perSecond: 0.2 }]));
    const run = await tryOn(
      own('verify.valid-key', 'run.success-shape'),
      { ...variant({ keyLimits }), profile: { bounds: { max_wait: '20s', patience: '60s' } } },
      { depth: 'standard', seed: 1 },
    );
    const leftOut = run.findings.flatMap((finding) => finding.asked.leftOut);
    expect(leftOut.length).toBeGreaterThan(0);
    expect(leftOut[0]).toMatch(/with a|on a/);
    expect(run.footer?.remarks.join(' ')).toContain('were skipped');
    expect(counted(run)).not.toHaveProperty('fail');
  });

  it('is inconclusive, not failed, where the service asks for more patience than there is', async () => {
    const lie: Overlay = () => ({ retryAfter: () => '86400' });
    const keyLimits = Object.fromEntries(
      ['free', 'pro', 'scale'].map((tier) => [tier, { burst: 1, perSecond: 0.001 }]),
    );
    const run = await tryOn(own('verify.valid-key', 'auth.run-without-key'), variant({ keyLimits }, lie), quick);
    expect(counted(run)).toEqual({ inconclusive: 2 });
    expect(outcomeOf(run)).toBe('incomplete');
  });

  it('accuses nobody of a 429 that came instead of an answer, whatever the rule expects', async () => {
    const lie: Overlay = (base) => ({
      retryAfter: () => '86400',
      limitKey: (call) =>
        call.route.kind === 'run' ? { kind: 'rate-limited', scope: 'key', waitMs: 9e7 } : base.limitKey(call),
    });
    const run = await tryOn(own('error.internal-failure'), variant({}, lie), quick);
    expect(counted(run)).toEqual({ inconclusive: 1 });
  });

  it('removes the keys that it made, and names those that it could not', async () => {
    const clean = await tryOn(own('admin.created'), variant(), quick);
    expect(clean.footer?.leftBehind).toEqual([]);
    const lie: Overlay = (base) => ({
      revokeKey: (call) => base.respond(call, 500, { error: 'sorry', detail: 'not today', actor: null }),
    });
    const left = await tryOn(own('admin.created'), variant({}, lie), quick);
    expect(left.footer?.leftBehind.length).toBeGreaterThan(0);
  });

  it('is inconclusive where the implementation cannot reach the source server', async () => {
    const readSource = async (): Promise<string> => {
      throw new Error('no route to host');
    };
    const run = await tryOn(own('partial.', 'upstream.', 'auth.refusal'), variant({ readSource }), quick);
    expect(counted(run)).not.toHaveProperty('fail');
    expect(counted(run)).not.toHaveProperty('pass');
  });
});

describe('secrets', () => {
  it('are nowhere in what is written down, however a service repeats them', async () => {
    const lie: Overlay = (base) => ({
      finish: (call, response) => {
        const key = call.request.headers.find(([name]) => /^x-(api-key|admin-token)$/i.test(name))?.[1] ?? '';
        const bytes = Buffer.from(key);
        response.headers.push(['X-Echo', key.trim() || 'none']);
        const forms = [
          key,
          bytes.toString('hex'),
          bytes.toString('base64'),
          encodeURIComponent(key),
          [...key].reverse().join(''),
        ];
        const body = JSON.parse(String(response.body || '{}')) as object;
        return base.finish(call, { ...response, body: JSON.stringify({ ...body, forms }) });
      },
    });
    const written: string[] = [];
    const run = await tryOn(rules, variant({}, lie), {
      ...quick,
      write: (record) => written.push(JSON.stringify(record)),
    });
    const text = written.join('\n');
    expect(written.length).toBeGreaterThan(500);
    const secrets = [...Object.values(matrixKeys).map(({ key }) => key.slice('vk_live_'.length)), adminToken];
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      expect(text).not.toContain([...secret].reverse().join(''));
    }
    // Keys that the admin interface issued are random: their whole form must not be there.
    expect(text).not.toMatch(/vk_(live|test)_[0-9a-z]{32}/);
    expect(run.findings.find(({ rule }) => rule === 'error.no-secrets')?.verdict).toBe('warn');
  });
});

describe('an interrupted run', () => {
  it('stops asking, tidies up, and never conforms', async () => {
    const stop = new AbortController();
    const run = await tryOn(rules, variant(), {
      ...quick,
      signal: stop.signal,
      on: (event) => {
        if (event.type === 'progress' && event.done === 40) stop.abort(new Error('interrupted'));
      },
    });
    expect(run.footer?.interrupted).toBe(true);
    expect(outcomeOf(run)).toBe('interrupted');
    expect(run.footer?.leftBehind).toEqual([]);
    expect(run.footer?.exchanges).toBeLessThan(250);
  });

  it('ends at the first violation if asked to', async () => {
    const lie: Overlay = () => ({ verifyBody: () => ({}) });
    const run = await tryOn(rules, variant({}, lie), { ...quick, bail: true });
    expect(outcomeOf(run)).toBe('violation');
    expect(run.footer!.exchanges).toBeLessThan(200);
    expect(run.findings.some((finding) => finding.because?.includes('--bail'))).toBe(true);
  });
});
