import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, type Bench, bench, get, limits, moment } from './testing.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.end());

describe('connections', () => {
  it('opens a fresh one for each exchange without a line, says so, and closes it', async () => {
    const server = await b.server((socket) => socket.write(answer()));
    const first = await b.transport.send(get(), server, limits());
    const second = await b.transport.send(get(), server, limits());
    expect([first.connection, second.connection]).toMatchObject([
      { number: 1, use: 1, localAddress: '127.0.0.1' },
      { number: 2, use: 1 },
    ]);
    expect(first.at.connected).toBeDefined();
    await moment(20);
    expect(server.sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('keeps a named one, also over HEAD and bodies on GET, and counts its uses', async () => {
    const server = await b.server((socket, turn) =>
      socket.write(turn === 1 ? 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 9\r\n\r\n' : answer()),
    );
    const route = { origin: server.origin, line: 'a' };
    const outcomes = [
      await b.transport.send(get(), route, limits()),
      await b.transport.send({ method: 'HEAD', target: '/', headers: [] }, route, limits()),
      await b.transport.send({ ...get(), body: Buffer.from('x') }, route, limits()),
      await b.transport.send(get(), route, limits()),
    ];
    expect(outcomes.map((each) => [each.connection.number, each.connection.use])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
    ]);
    expect(outcomes.map((each) => each.at.connected !== undefined)).toEqual([true, false, false, false]);
    expect(server.heard).toHaveLength(1);
  });

  it('closes a named one behind a request that says so, and opens another for the next', async () => {
    const server = await b.server((socket) => socket.write(answer()));
    const route = { origin: server.origin, line: 'a' };
    const numbers: number[] = [];
    for (const headers of [[], [['Connection', 'close'] as const], []])
      numbers.push((await b.transport.send({ ...get(), headers }, route, limits())).connection.number);
    expect(numbers).toEqual([1, 1, 2]);
    expect(server.heard[0]).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('has one exchange at a time on each: a second one opens another of that name, which is reused', async () => {
    const server = await b.server((socket) => void setTimeout(() => socket.write(answer()), 10));
    const route = { origin: server.origin, line: 'a' };
    const three = () => Promise.all([1, 2, 3].map(() => b.transport.send(get(), route, limits())));
    const before = await three();
    const after = await three();
    expect(before.map((each) => each.connection.number).sort()).toEqual([1, 2, 3]);
    expect(after.map((each) => each.connection.number).sort()).toEqual([1, 2, 3]);
    expect(after.every((each) => each.connection.use === 2)).toBe(true);
  });

  it('keeps lines, origins and local addresses apart', async () => {
    const server = await b.server((socket) => socket.write(answer()));
    const other = await b.server((socket) => socket.write(answer()));
    const routes = [
      { origin: server.origin, line: 'a' },
      { origin: server.origin, line: 'b' },
      { origin: other.origin, line: 'a' },
      { origin: server.origin, line: 'a', localAddress: '127.0.0.1' },
    ];
    const numbers = [];
    for (const route of [...routes, ...routes]) {
      numbers.push((await b.transport.send(get(), route, limits())).connection.number);
    }
    expect(numbers).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });

  it('does not use one that the server has closed, reset or spoilt while it was idle', async () => {
    const endings = ['end', 'resetAndDestroy', 'write'] as const;
    for (const ending of endings) {
      for (const wait of [0, 30]) {
        const server = await b.server((socket) => {
          socket.write(answer('hi'), () => setImmediate(() => socket[ending]('nonsense')));
        });
        const route = { origin: server.origin, line: 'a' };
        const transport = b.another({});
        await transport.send(get(), route, limits());
        // Not waited for, the end lies in the kernel unread, and undici notices it after it has taken the request.
        if (wait > 0) await moment(wait);
        else await new Promise((resolve) => setImmediate(resolve));
        const next = await transport.send(get(), route, limits());
        expect(next.failure).toBeUndefined();
        expect(next.connection).toMatchObject({ number: 2, use: 1 });
        expect(next.at.connected).toBeDefined();
      }
    }
  });

  it('reports one that is closed or reset exactly while a request goes out, with its use', async () => {
    for (const [ending, kind] of [
      ['end', 'closed-before-head'],
      ['resetAndDestroy', 'reset-before-head'],
    ] as const) {
      const server = await b.server((socket, turn) => (turn === 0 ? socket.write(answer()) : socket[ending]()));
      const route = { origin: server.origin, line: 'a' };
      const transport = b.another({});
      await transport.send(get(), route, limits());
      const next = await transport.send(get(), route, limits());
      expect(next).toMatchObject({ failure: { kind }, connection: { number: 1, use: 2 } });
      expect(server.heard).toHaveLength(1);
    }
  });

  it('opens another after Connection: close, and after a body that was cut', async () => {
    const server = await b.server((socket, turn) =>
      turn === 0 ? socket.end(answer('hi', 'Connection: close')) : socket.write(answer('0123456789')),
    );
    const route = { origin: server.origin, line: 'a' };
    const numbers = [];
    for (let i = 0; i < 3; i += 1) {
      numbers.push((await b.transport.send(get(), route, limits({ maxBodyBytes: 5 }))).connection.number);
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('releases a line: at once where idle, after the exchange where busy, and other lines stay', async () => {
    const server = await b.server((socket) => void setTimeout(() => socket.write(answer()), 20));
    const a = { origin: server.origin, line: 'a' };
    const c = { origin: server.origin, line: 'c' };
    await Promise.all([b.transport.send(get(), a, limits()), b.transport.send(get(), c, limits())]);
    const running = b.transport.send(get(), c, limits());
    b.transport.release('a');
    b.transport.release('c');
    b.transport.release('never heard of');
    expect((await running).response?.status).toBe(200);
    await moment(20);
    expect(server.sockets.map((socket) => socket.destroyed)).toEqual([true, true]);
    expect((await b.transport.send(get(), a, limits())).connection).toMatchObject({ number: 3, use: 1 });
  });

  it('closes everything at once: what is under way is interrupted, what comes later is not sent', async () => {
    const server = await b.server((_socket) => {});
    const under = ['a', undefined].map((line) =>
      b.transport.send(get(), line === undefined ? server : { origin: server.origin, line }, limits()),
    );
    await moment(20);
    await b.transport.close();
    for (const each of under) expect((await each).failure?.kind).toBe('interrupted');
    expect((await b.transport.send(get(), server, limits())).failure?.kind).toBe('interrupted');
    await moment(20);
    expect(server.sockets.every((socket) => socket.destroyed)).toBe(true);
    await b.transport.close();
  });

  it('bears many exchanges at once on one line', async () => {
    const server = await b.server((socket, turn) => socket.write(answer(`n${turn}`)));
    const route = { origin: server.origin, line: 'a' };
    const work = Array.from({ length: 20 }, async (_, index) => {
      for (let i = 0; i < 25; i += 1) {
        const outcome = await b.transport.send(get(`/${index}/${i}`), route, limits());
        expect(outcome.failure).toBeUndefined();
        expect(outcome.requestHead.startsWith(`GET /${index}/${i} `)).toBe(true);
      }
    });
    await Promise.all(work);
    expect(server.heard.length).toBeLessThanOrEqual(20);
  });
});

describe('a body in chunks', () => {
  it.each([1, 4, 100])(
    'goes out in chunks of %d bytes, without its length, and the connection goes on',
    async (chunkBytes) => {
      // What ends the head and what ends the body look alike to the server: it answers at the second.
      const server = await b.server((socket, turn) => (turn === 1 ? socket.write(answer()) : undefined));
      const route = { origin: server.origin, line: 'chunks' };
      const outcome = await b.transport.send(
        { method: 'POST', target: '/', headers: [], body: Buffer.from('{"a":1}'), chunkBytes },
        route,
        limits(),
      );
      expect(outcome.response?.status).toBe(200);
      expect(outcome.requestHead.toLowerCase()).toContain('transfer-encoding: chunked');
      expect(outcome.requestHead.toLowerCase()).not.toContain('content-length');
      const lengths = [...server.heard.join('').matchAll(/\r\n([0-9a-f]+)\r\n/g)].map(([, hex]) =>
        Number.parseInt(hex!, 16),
      );
      expect(lengths.slice(0, -1)).toEqual(
        Array.from({ length: Math.ceil(7 / chunkBytes) }, (_, at) => Math.min(chunkBytes, 7 - at * chunkBytes)),
      );
    },
  );

  it('ends the connection where it is refused: what is left of it may be taken for the next request', async () => {
    const refusal = 'HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n';
    // As before, the end of a body looks like the end of a head: it is answered as a request of its own.
    const server = await b.server((socket, turn) => void (turn === 1 && socket.write(refusal)));
    const other = await b.server((socket) => socket.write(answer()));
    const post = { method: 'POST', target: '/', headers: [], body: Buffer.from('{"a":1}') };
    const refused = await b.transport.send({ ...post, chunkBytes: 4 }, { origin: server.origin, line: 'a' }, limits());
    expect(refused.response?.status).toBe(411);
    await moment(20);
    expect(server.sockets.every((socket) => socket.destroyed)).toBe(true);
    const kept = { origin: other.origin, line: 'a' };
    await b.transport.send({ ...post, chunkBytes: 4 }, kept, limits());
    expect(other.sockets.every((socket) => socket.destroyed)).toBe(false);
  });
});
