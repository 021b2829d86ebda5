import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, type Bench, bench, get, limits, text } from './testing.ts';
import type { WireRequest } from './transport.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.end());

describe('what is sent', () => {
  const requests: Record<string, WireRequest> = {
    plain: get('/v1/verify'),
    'order, case and duplicates': get('/', [
      ['X-B', '1'],
      ['x-a', '2'],
      ['X-b', '3'],
      ['Accept', 'a/b'],
      ['ACCEPT', 'c/d'],
    ]),
    'empty and blank values': get('/', [
      ['X-API-Key', ''],
      ['Authorization', '   '],
      ['X-Tab', '\t'],
      ['X-Padded', '  a b  '],
    ]),
    'latin1 in values': get('/', [['X-Name', 'Zoë é ÿ']]),
    'a null byte, doubled slashes and dots': get('/v1//x/../%00/./%2e%2E/a?b=%00&c=[]{}|"^`\\'),
    'a very long path': get(`/v1/${'a'.repeat(3000)}`),
    'a fragment': get('/a#b'),
    'an absolute target': get('http://elsewhere.example/a'),
    head: { method: 'HEAD', target: '/', headers: [] },
    options: { method: 'OPTIONS', target: '/v1', headers: [] },
    trace: { method: 'TRACE', target: '/v1', headers: [] },
    'an invented method': { method: 'FROB', target: '/v1', headers: [] },
    'a method in lower case': { method: 'post', target: '/v1', headers: [], body: Buffer.from('x') },
    'a body of any bytes': { method: 'POST', target: '/', headers: [], body: Uint8Array.from([0, 255, 13, 10, 128]) },
    'an empty body': { method: 'POST', target: '/', headers: [['Content-Type', 'a/b']], body: new Uint8Array(0) },
    'no body on POST': { method: 'POST', target: '/', headers: [] },
    'a body on GET': { ...get('/'), body: Buffer.from('{}') },
    'a body on DELETE': { method: 'DELETE', target: '/', headers: [], body: Buffer.from('{}') },
    'a host of its own': get('/', [['Host', 'other.example']]),
  };
  for (const [name, request] of Object.entries(requests)) {
    for (const line of [undefined, 'kept']) {
      it(`${name} (${line ?? 'fresh'}), byte for byte`, async () => {
        const server = await b.server((socket) => socket.write(answer()));
        const route = line === undefined ? { origin: server.origin } : { origin: server.origin, line };
        const outcome = await b.transport.send(request, route, limits());
        expect(outcome.failure).toBeUndefined();
        expect(server.heard[0]).toBe(`${outcome.requestHead}\r\n\r\n${text(request.body)}`);
        const own = request.headers.some(([key]) => key === 'Host') ? 'other.example' : `127.0.0.1:${server.port}`;
        const length = request.body?.byteLength ?? 0;
        const expected = [
          `${request.method} ${request.target} HTTP/1.1`,
          `host: ${own}`,
          `connection: ${line === undefined ? 'close' : 'keep-alive'}`,
          ...request.headers.filter(([key]) => key !== 'Host').map(([key, value]) => `${key}: ${value}`),
          ...(length > 0 || request.method === 'POST' ? [`content-length: ${length}`] : []),
        ];
        expect(outcome.requestHead.split('\r\n')).toEqual(expected);
      });
    }
  }

  const unsendable: Record<string, WireRequest> = {
    'a line break in a value': get('/', [['X-A', 'b\r\nc: d']]),
    'a value beyond latin1': get('/', [['X-A', '€']]),
    'a name that is no token': get('/', [['X A', 'b']]),
    'a transfer coding': get('/', [['Transfer-Encoding', 'chunked']]),
    'an expectation': get('/', [['Expect', '100-continue']]),
    'a blank in the target': get('/a b'),
    'a target beyond latin1': get('/€'),
    'a target without slash': get('*'),
    'a method that is no token': { method: 'G T', target: '/', headers: [] },
    connect: { method: 'CONNECT', target: 'a:1', headers: [] },
    'a length that is a lie': {
      method: 'POST',
      target: '/',
      headers: [['Content-Length', '9']],
      body: Buffer.from('x'),
    },
  };
  for (const [name, request] of Object.entries(unsendable)) {
    it(`says why it would not send ${name}, and leaves the connection alone`, async () => {
      const server = await b.server((socket) => socket.write(answer()));
      const route = { origin: server.origin, line: 'a' };
      await b.transport.send(get('/first'), route, limits());
      const outcome = await b.transport.send(request, route, limits());
      expect(outcome).toMatchObject({ failure: { kind: 'not-sent' }, connection: { number: 0, use: 0 } });
      expect(outcome.response).toBeUndefined();
      expect(outcome.requestHead.split('\r\n')[0]).toBe(`${request.method} ${request.target} HTTP/1.1`);
      const next = await b.transport.send(get('/next'), route, limits());
      expect(next.connection).toMatchObject({ number: 1, use: 2 });
      expect(server.heard).toHaveLength(1);
      expect(server.heard[0]!.split('\r\n\r\n')).toHaveLength(3);
    });
  }

  it('shows a large body on both sides', async () => {
    const body = Buffer.alloc(3_000_000, 'x');
    const server = await b.server((socket) => {
      const whenAll = (): unknown => socket.bytesRead >= body.length && socket.write(answer());
      socket.on('data', whenAll);
    });
    const outcome = await b.transport.send({ method: 'POST', target: '/', headers: [], body }, server, limits());
    expect(outcome.response?.status).toBe(200);
    expect(outcome.requestHead).toMatch(/content-length: 3000000$/);
  });
});

describe('what comes', () => {
  const ask = async (bytes: string | string[], request = get(), end = true, part = {}) => {
    const server = await b.server(async (socket) => {
      for (const piece of typeof bytes === 'string' ? [bytes] : bytes) {
        socket.write(Buffer.from(piece, 'latin1'));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      if (end) socket.end();
    });
    return b.transport.send(request, { origin: server.origin }, limits(part));
  };

  it('keeps order, case, duplicates, blanks and version of the head', async () => {
    const head =
      'HTTP/1.0 404 Nöt  here\r\nX-b: 1\r\nSet-Cookie: a\r\nx-B:  2 \t\r\nset-cookie: b\r\nEmpty:\r\nContent-Length: 2';
    const { response, failure } = await ask(`${head}\r\n\r\nhi`);
    expect(failure).toBeUndefined();
    expect(response).toMatchObject({ status: 404, head, truncated: false });
    expect(response?.headers.slice(0, 5)).toEqual([
      ['X-b', '1'],
      ['Set-Cookie', 'a'],
      ['x-B', '2'],
      ['set-cookie', 'b'],
      ['Empty', ''],
    ]);
    expect(text(response?.body)).toBe('hi');
  });

  it('keeps a head that comes byte by byte', async () => {
    const head = 'HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2';
    const { response } = await ask([...`${head}\r\n\r\nhi`]);
    expect(response).toMatchObject({ status: 200, head });
    expect(text(response?.body)).toBe('hi');
  });

  it('passes over informational answers, also an unasked 100', async () => {
    const info = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const { response, failure } = await ask(info + info + answer('done'));
    expect(failure).toBeUndefined();
    expect(response?.head).toBe('HTTP/1.1 200 OK\r\nContent-Length: 4');
    expect(text(response?.body)).toBe('done');
  });

  it('bears 103 by the thousand, but not without end', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n';
    expect((await ask(hint.repeat(5000) + answer())).response?.status).toBe(200);
    expect(await ask(hint.repeat(50_000), get(), false)).toMatchObject({ failure: { kind: 'head-too-large' } });
  });

  it('takes a body that ends with the connection', async () => {
    const outcome = await ask('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it');
    expect(outcome.failure).toBeUndefined();
    expect(text(outcome.response?.body)).toBe('all of it');
  });

  it('undoes chunks', async () => {
    const outcome = await ask(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: t\r\n\r\n',
    );
    expect(text(outcome.response?.body)).toBe('abcde');
  });

  it('cuts a body that is too large, without calling it a failure', async () => {
    const outcome = await ask(answer('0123456789'), get(), false, { maxBodyBytes: 4 });
    expect(outcome.failure).toBeUndefined();
    expect(outcome.response?.truncated).toBe(true);
    expect(text(outcome.response?.body)).toBe('0123');
    expect((await ask(answer('0123'), get(), false, { maxBodyBytes: 4 })).response?.truncated).toBe(false);
    expect((await ask(answer('0'), get(), false, { maxBodyBytes: 0 })).response).toMatchObject({ truncated: true });
  });

  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n'],
  ])('does not wait for a body that cannot come (%s, %s)', async (method, bytes) => {
    const outcome = await ask(bytes, { method, target: '/', headers: [] }, false);
    expect(outcome.failure).toBeUndefined();
    expect(outcome.response?.body).toHaveLength(0);
    expect(outcome.response?.head).toBe(bytes.slice(0, -4));
  });

  it('does not undo content codings and does not follow redirects', async () => {
    const moved =
      'HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08';
    const { response } = await ask(moved);
    expect(response?.status).toBe(302);
    expect(text(response?.body)).toBe('\x1f\x8b\x08');
  });

  it('reports the times in order', async () => {
    const { at } = await ask(['HTTP/1.1 200 OK\r\n', 'Content-Length: 2\r\n\r\n', 'hi']);
    expect(at.connected).toBeLessThanOrEqual(at.sent);
    expect(at.sent).toBeLessThan(at.head!);
    expect(at.head!).toBeLessThan(at.end);
  });
});

describe('white space behind a value', () => {
  it.each([
    ['blanks behind a length', 'Content-Length: 2   \r\n\r\nhi'],
    ['a tab behind a length', 'Content-Length:2\t\r\n\r\nhi'],
    ['blanks behind a coding', 'Transfer-Encoding: chunked  \r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
    ['a tab behind a coding', 'transfer-encoding: chunked\t\r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
  ])('%s is kept as it came, and means nothing', async (_, rest) => {
    const server = await b.server((socket) => socket.write(`HTTP/1.1 200 OK\r\n${rest}`));
    for (let use = 0; use < 2; use += 1) {
      const { failure, response } = await b.transport.send(get(), { origin: server.origin, line: 'kept' }, limits());
      expect(failure).toBeUndefined();
      expect(text(response?.body)).toBe('hi');
      expect(response?.head).toBe(`HTTP/1.1 200 OK\r\n${rest.slice(0, rest.indexOf('\r\n'))}`);
    }
  });
});
