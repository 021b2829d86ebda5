/** What a proxy must be careful about, byte by byte: both sides are sockets. */
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientCatalogue } from '../cli/catalogue.ts';
import { wrongCertificate } from '../client/certificate.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Run } from '../model/run.ts';
import { type Injection, injectionOf } from './injecting.ts';
import { type Bytes, type Caller, callerOf, type Standing, serviceOfBytes, standBefore, until } from './testing.ts';

let service: Bytes | undefined;
let standing: Standing | undefined;
let callers: Caller[] = [];

beforeEach(() => {
  callers = [];
});

afterEach(async () => {
  for (const { socket } of callers) socket.destroy();
  await standing?.end();
  await service?.close();
  standing = undefined;
  service = undefined;
});

const hello = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** Answers each whole request that has no body. */
const answering =
  (text: string, on: (got: string) => boolean = (got) => got.endsWith('\r\n\r\n')) =>
  (got: string, socket: { write(text: string, coding: BufferEncoding): unknown }) => {
    if (on(got)) socket.write(text, 'latin1');
  };

async function stand(
  answer: Parameters<typeof serviceOfBytes>[0],
  injections: readonly Injection[] = [],
): Promise<void> {
  service = await serviceOfBytes(answer);
  standing = await standBefore(service.url, { injections });
}

async function call(text: string): Promise<Caller> {
  const caller = await callerOf(standing!.port);
  callers.push(caller);
  caller.send(text);
  return caller;
}

async function ended(): Promise<{ readonly run: Run; readonly seen: readonly Exchange[] }> {
  const run = await standing!.end();
  return { run, seen: [...run.exchanges.values()] };
}

const get = (path = '/v1/auth/verify', more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: vk_live_0123456789abcdef\r\n${more}\r\n`;

const sent = (nth = 0): string => service!.connections[nth]?.got ?? '';

describe('heads', () => {
  it('pass in order, case and number, but for what is of one connection; Host is the name of the service', async () => {
    await stand(
      answering(
        'HTTP/1.1 203 Fine So\r\nX-One: 1\r\nx-one: 2\r\nConnection: X-Gone\r\nX-Gone: 1\r\nKeep-Alive: timeout=9\r\nContent-Length: 0\r\n\r\n',
      ),
    );
    const caller = await call(
      get('/v1/auth/verify?a=%2f', 'x-B: 1\r\nX-b: 2\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nTE: gzip\r\n'),
    );
    await until(() => caller.got().endsWith('\r\n\r\n'));
    expect(sent()).toContain('GET /v1/auth/verify?a=%2f HTTP/1.1\r\n');
    expect(sent()).toContain(`Host: ${service!.url.slice(7)}\r\n`);
    expect(sent()).toContain('x-B: 1\r\nX-b: 2\r\n');
    expect(sent()).not.toMatch(/X-Mine|TE:|Host: x/);
    expect(caller.got()).toContain('HTTP/1.1 203 Fine So\r\nX-One: 1\r\nx-one: 2\r\n');
    expect(caller.got()).not.toMatch(/X-Gone|timeout=9|Date:/);
  });

  it('that are hostile are refused with an error body, and never passed', async () => {
    await stand(answering(hello));
    const heads = [
      'GET /v1/x y HTTP/1.1\r\nHost: x\r\nX-API-Key: vk_live_0123456789abcdef\r\n\r\n',
      'POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET /v1/x HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
      'GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n',
      `GET /v1/x HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(80_000)}\r\n\r\n`,
    ];
    const answers: string[] = [];
    for (const head of heads) {
      const caller = await call(head);
      await until(() => caller.got().endsWith('}'));
      answers.push(caller.got());
    }
    expect(answers.map((each) => each.slice(9, 12))).toEqual(['400', '400', '400', '421', '431']);
    for (const each of answers) expect(each).toMatch(/"error":"[a-z_]+","detail":"[^"]+"\}$/);
    expect(service!.connections).toEqual([]);
    const { seen } = await ended();
    expect(seen.every(({ injected }) => injected !== undefined)).toBe(true);
    expect(seen).toHaveLength(heads.length);
    expect(JSON.stringify(seen)).not.toContain('0123456789abcdef');
  });

  it('that ask for another protocol, or a tunnel, are refused with a sentence; an offer of HTTP/2 is passed over', async () => {
    await stand(answering(hello));
    const socket = await call(get('/v1/x', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
    const tunnel = await call('CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n');
    await until(() => socket.got().endsWith('}') && tunnel.got().endsWith('}'));
    for (const each of [socket, tunnel])
      expect(each.got()).toMatch(/^HTTP\/1\.1 501 [\s\S]*"error":"not_implemented","detail":"Touchstone stands /);
    expect(service!.connections).toEqual([]);
    const offer = await call(
      get('/v1/x', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
    );
    await until(() => offer.got().endsWith('{}'));
    expect(offer.got()).toContain('200 OK');
    expect(sent()).not.toMatch(/Upgrade|HTTP2/i);
  });
});

describe('bodies', () => {
  it('pass as they are framed, both ways, with their trailers', async () => {
    await stand(
      answering(
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\n{"a\r\n3\r\n":1\r\n1\r\n}\r\n0\r\nX-Sum: 7\r\n\r\n',
        (got) => got.endsWith('X-Up: 5\r\n\r\n'),
      ),
    );
    const caller = await call(
      'POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\nTrailer: X-Up\r\n\r\n2\r\n{}\r\n0\r\nX-Up: 5\r\n\r\n',
    );
    await until(() => caller.got().endsWith('\r\n\r\n') && caller.got().includes('X-Sum'));
    expect(sent()).toMatch(/Transfer-Encoding: chunked\r\nTE: trailers\r\n[\s\S]*2\r\n\{\}\r\n0\r\nX-Up: 5\r\n\r\n$/);
    expect(caller.got()).toMatch(/Transfer-Encoding: chunked[\s\S]*0\r\nX-Sum: 7\r\n\r\n$/);
    const { seen } = await ended();
    expect(seen[0]?.response?.body.text).toBe('{"a":1}');
    expect(seen[0]?.request.body?.text).toBe('{}');
  });

  it('an answer to HEAD has no body, and its head passes whole', async () => {
    await stand(answering('HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n'));
    const caller = await call('HEAD /v1/auth/verify HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => caller.got().includes('\r\n\r\n'));
    expect(caller.got()).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 1234\r\n[\s\S]*\r\n\r\n$/);
    caller.send('HEAD /v1/auth/verify HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => caller.got().split('1234').length === 3);
    expect(caller.got().split('1234')).toHaveLength(3);
  });

  it('wait for 100 Continue where the client does, until the service says so', async () => {
    await stand((got, socket) => {
      if (got.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      if (got.endsWith('{"a":1}')) socket.write(hello);
    });
    const head = 'POST /v1/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n';
    const caller = await call(head);
    await until(() => caller.got().includes('100 Continue'));
    expect(sent()).toMatch(/Expect: 100-continue\r\n[\s\S]*\r\n\r\n$/);
    caller.send('{"a":1}');
    await until(() => caller.got().endsWith('{}'));
    expect(caller.got()).toContain('200 OK');
  });

  it('are not sent where the service answers the head alone', async () => {
    await stand(answering('HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}'));
    const caller = await call('POST /v1/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n');
    await until(() => caller.ended());
    expect(caller.got()).toMatch(/^HTTP\/1\.1 401 No/);
    expect(caller.got()).not.toContain('100 Continue');
    expect(sent()).toMatch(/\r\n\r\n$/);
  });

  it('of eight megabytes pass whole, and are kept as a beginning', async () => {
    const large = 'x'.repeat(8 * 2 ** 20);
    await stand((got, socket) => {
      if (got.endsWith('x!')) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${large.length}\r\n\r\n${large}`);
    });
    const caller = await call(`POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length + 1}\r\n\r\n${large}!`);
    await until(() => caller.got().length > large.length);
    expect(caller.got().endsWith(large)).toBe(true);
    expect(sent().endsWith(`${large}!`)).toBe(true);
    const { seen } = await ended();
    expect(seen[0]?.response?.body).toMatchObject({ bytes: large.length, truncated: true });
    expect(seen[0]?.request.body).toMatchObject({ bytes: large.length + 1, truncated: true });
    expect(JSON.stringify(seen).length).toBeLessThan(2 * 2 ** 20);
  });
});

describe('connections', () => {
  it('are kept on both sides, and closed where the service closes its own', async () => {
    await stand(answering(hello));
    const caller = await call(get());
    await until(() => caller.got().endsWith('{}'));
    caller.send(get());
    await until(() => caller.got().split('{}').length === 3);
    expect(service!.connections).toHaveLength(1);
    service!.connections[0]!.socket.end();
    await until(() => caller.ended());
    expect(caller.ended()).toBe(true);
    const { seen } = await ended();
    expect(seen.map(({ connection }) => [connection.number, connection.use])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it('carry several requests at once, answered in their order', async () => {
    let answered = 0;
    await stand((got, socket) => {
      const asked = got.split('\r\n\r\n').length - 1;
      for (; answered < asked; answered += 1) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${answered}`);
    });
    const caller = await call(get('/v1/0') + get('/v1/1') + get('/v1/2'));
    await until(() => caller.got().endsWith('2'));
    expect([...caller.got().matchAll(/\r\n\r\n(\d)/g)].map(([, which]) => which)).toEqual(['0', '1', '2']);
    expect([...sent().matchAll(/GET \/v1\/(\d)/g)].map(([, which]) => which)).toEqual(['0', '1', '2']);
  });

  it('that are half closed still get their answer', async () => {
    let later = (): void => {};
    await stand((got, socket) => {
      if (got.endsWith('\r\n\r\n')) later = () => void socket.write(hello);
    });
    const caller = await call(get());
    await until(() => sent().endsWith('\r\n\r\n'));
    caller.socket.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    later();
    await until(() => caller.got().endsWith('{}'));
    expect(caller.got()).toContain('200 OK');
  });

  it('that the client breaks off are broken off at the service too', async () => {
    await stand(() => {});
    const caller = await call(get());
    await until(() => sent().endsWith('\r\n\r\n'));
    caller.socket.destroy();
    await until(() => service!.connections[0]!.closed);
    service!.connections[0]!.socket.destroy();
    expect(service!.connections[0]!.closed).toBe(true);
    const { seen } = await ended();
    expect(seen[0]?.failure?.kind).toBe('interrupted');
  });

  it.each([
    ['before its answer', '', 'reset-before-head'],
    ['in the middle of it', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a', 'reset-in-body'],
  ])('that the service breaks off %s are broken off at the client', async (_, text, kind) => {
    await stand((got, socket) => {
      if (!got.endsWith('\r\n\r\n')) return;
      if (text === '') socket.resetAndDestroy();
      else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
    });
    const caller = await call(get());
    await until(() => caller.ended());
    expect(caller.got().endsWith('{"a')).toBe(text !== '');
    const { seen, run } = await ended();
    expect(seen[0]?.failure?.kind).toBe(kind);
    expect(run.footer?.unreachable).toBeUndefined();
  });

  it('to a service whose certificate nobody has signed are answered with 502, and nothing is sent to it', async () => {
    let asked = 0;
    const secure = createSecure(wrongCertificate, () => {
      asked += 1;
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    standing = await standBefore(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`);
    const caller = await call(get());
    await until(() => caller.got().endsWith('}'));
    expect(caller.got()).toMatch(/^HTTP\/1\.1 502 [\s\S]*TLS failed/);
    secure.close();
    expect(asked).toBe(0);
  });

  it('to a service that is not there are answered with 502, and the run says so', async () => {
    await stand(answering(hello));
    await service!.close();
    const caller = await call(get());
    await until(() => caller.got().endsWith('}'));
    expect(caller.got()).toMatch(
      /^HTTP\/1\.1 502 [\s\S]*"error":"bad_gateway","detail":"The service was not reached: /,
    );
    const { run } = await ended();
    expect(run.footer?.unreachable).toContain('refused');
  });
});

describe('a record', () => {
  it('that cannot be written ends the run with that error', async () => {
    service = await serviceOfBytes(answering(hello));
    const full = new Error('no space is left');
    const broken = await standBefore(service.url, {
      write: ({ type }) => {
        if (type === 'exchange') throw full;
      },
    });
    const caller = await callerOf(broken.port);
    callers.push(caller);
    caller.send(get());
    await until(() => caller.got().endsWith('{}'));
    await expect(broken.ended).rejects.toBe(full);
  });
});

describe('what is injected', () => {
  const run = `POST /v1/actors/a/run-sync-get-dataset-items HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
  const injected = (text: string): Injection => injectionOf(text, clientCatalogue.situations) as Injection;
  const serviceAnswers = (got: string, socket: { write(text: string): unknown }): void => {
    if (got.endsWith('{}')) socket.write(hello);
  };

  it.each([
    ['429=1', /^HTTP\/1\.1 429 [\s\S]*Retry-After: 1\r\n/, false],
    ['502=100%', /^HTTP\/1\.1 502 /, false],
    ['partial=1', /^HTTP\/1\.1 200 [\s\S]*"status":"PARTIAL"/, false],
    ['error-page=1', /text\/html/, false],
    ['error-empty=1', /^HTTP\/1\.1 403 /, false],
    ['broken-before=1', /^$/, false],
    ['broken-after=1', /^$/, true],
  ])('%s', async (text, expected, reaches) => {
    await stand(serviceAnswers, [injected(text)]);
    const caller = await call(run);
    await until(() => (expected.source === '^$' ? caller.ended() : expected.test(caller.got())));
    expect(caller.got()).toMatch(expected);
    await until(() => !reaches || service!.connections.some(({ got }) => got.includes('run-sync')));
    expect(service!.connections.some(({ got }) => got.includes('run-sync'))).toBe(reaches);
    const { seen } = await ended();
    expect(seen.find(({ request }) => request.method === 'POST')?.injected).toBe(injected(text).situation.name);
  });

  it('is refused where it is no situation, or no rate', () => {
    expect(injectionOf('redirected-302', clientCatalogue.situations)).toContain('there is no situation');
    expect(injectionOf('nonsense', clientCatalogue.situations)).toContain('limited-once');
    expect(injectionOf('502=1.5', clientCatalogue.situations)).toContain('at most 1');
    expect(injectionOf('502=0', clientCatalogue.situations)).toContain('more than 0');
    expect(injectionOf('slow', clientCatalogue.situations)).toMatchObject({ rate: 0.1 });
  });
});
