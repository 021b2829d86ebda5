import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import type { Transport, WireOutcome } from '../http/transport.ts';
import { createTransport } from '../http/undici-transport.ts';
import { lettersOfSources, type SourceBehaviour } from '../model/ask.ts';
import { placeOf, startSources } from './server.ts';
import type { Sources } from './sources.ts';

let sources: Sources & { readonly port: number };
let transport: Transport;
const start = (part = {}) =>
  startSources({
    listen: '127.0.0.1',
    port: 0,
    body: '{"é":"{{token}}"}',
    contentType: 'application/json',
    random: Math.random,
    ...part,
  });

beforeEach(async () => {
  sources = await start();
  transport = createTransport({ clock: systemClock });
});
afterEach(async () => {
  await transport.close();
  await sources.close();
});

const ask = (url: string, method = 'GET', line?: string, timeoutMs = 100): Promise<WireOutcome> => {
  const { origin, pathname } = new URL(url);
  const route = line === undefined ? { origin } : { origin, line };
  return transport.send({ method, target: pathname, headers: [] }, route, { timeoutMs, maxBodyBytes: 10_000 });
};

/** All that comes back for these bytes. */
async function say(text: string): Promise<string> {
  const socket = connect(sources.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

describe('the source server', () => {
  it.each<[SourceBehaviour, string]>([
    ['slow', 'too-slow'],
    ['reset', 'reset-before-head'],
    ['garbage', 'not-http'],
    ['cut-off', 'closed-in-body'],
    ['refused', 'refused'],
  ])('%s: %s', async (behaviour, kind) => {
    const source = sources.plant('broken', behaviour);
    expect((await ask(source.url)).failure?.kind).toBe(kind);
    expect((await ask(source.url, 'HEAD')).failure?.kind).toBe(kind === 'closed-in-body' ? 'closed-before-head' : kind);
    expect(sources.reached(source.token)).toBe(behaviour === 'refused' ? 0 : 2);
    expect(sources.strangers()).toBe(0);
  });

  it('keeps the heads of the requests that reached a source', async () => {
    const source = sources.plant('ok', 'ok');
    const { pathname } = new URL(source.url);
    await say(`GET ${pathname}?a=1 HTTP/1.1\r\nHost: here\r\nX-API-Key: of the caller\r\nConnection: close\r\n\r\n`);
    expect(sources.heard(source.token)).toEqual([
      expect.stringMatching(/\?a=1 HTTP[\s\S]*X-API-Key: of the caller\r\n/),
    ]);
  });

  it('ok: its body with its token, also kept alive, also without body for HEAD', async () => {
    const [one, two] = [sources.plant('ok', 'ok'), sources.plant('ok2', 'ok')];
    for (const source of [one, two]) {
      const { response, connection } = await ask(source.url, 'GET', 'a');
      expect(Buffer.from(response?.body ?? []).toString()).toBe(`{"é":"${source.token}"}`);
      expect(response?.headers).toContainEqual(['Content-Type', 'application/json']);
      expect(connection.number).toBe(1);
    }
    const head = await ask(one.url, 'HEAD', 'a');
    expect(head.response?.status).toBe(200);
    expect(head.response?.headers).toContainEqual([
      'Content-Length',
      String(Buffer.byteLength(`{"é":"${one.token}"}`)),
    ]);
    expect([sources.reached(one.token), sources.reached(two.token)]).toEqual([2, 1]);
  });

  it.each<SourceBehaviour>(['in-pieces', 'in-chunks'])(
    '%s: the whole body, in more than one write',
    async (behaviour) => {
      const source = sources.plant('ok', behaviour);
      const { response } = await ask(source.url);
      expect(Buffer.from(response?.body ?? []).toString()).toBe(`{"é":"${source.token}"}`);
      const path = new URL(source.url).pathname;
      const chunked = await say(`GET ${path} HTTP/1.1\r\n\r\n`);
      expect(chunked.includes('\r\n0\r\n\r\n')).toBe(behaviour === 'in-chunks');
      // Who does not know chunks gets none.
      expect(await say(`GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/Content-Length: \d+\r\n[\s\S]*"\}$/);
      expect((await ask(source.url, 'HEAD')).response?.status).toBe(200);
    },
  );

  it('letters-in-pieces: each bit ends within a letter', async () => {
    const source = sources.plant('ok', 'letters-in-pieces');
    const { response } = await ask(source.url);
    expect(Buffer.from(response?.body ?? []).toString()).toBe(`{"é":"${source.token} ${lettersOfSources}"}`);
    const socket = connect(sources.port, '127.0.0.1');
    const bits: string[] = [];
    socket.on('data', (bit) => bits.push(bit.toString()));
    socket.write(`GET ${new URL(source.url).pathname} HTTP/1.1\r\n\r\n`);
    await once(socket, 'close');
    expect(bits.join('')).toContain('\ufffd');
    // Which letters the bytes of a text without a type stand for nobody knows.
    const plain = await start({ body: 'token {{token}}', contentType: 'text/plain' });
    const { token, url } = plain.plant('ok', 'letters-in-pieces');
    expect(Buffer.from((await ask(url)).response?.body ?? []).toString()).toBe(`token ${token}`);
    await plain.close();
  });

  it('late: the whole body, after a while', async () => {
    const source = sources.plant('ok', 'late');
    const { response, at } = await ask(source.url, 'GET', undefined, 10_000);
    expect(Buffer.from(response?.body ?? []).toString()).toBe(`{"é":"${source.token}"}`);
    expect(at.end - at.sent).toBeGreaterThan(500);
    expect((await ask(source.url, 'HEAD')).response?.status).toBe(200);
  });

  it('status-500', async () => {
    const source = sources.plant('broken', 'status-500');
    const { response } = await ask(source.url);
    expect(response?.status).toBe(500);
    expect(Buffer.from(response?.body ?? []).toString()).not.toContain(source.token);
  });

  it('answers strangers with 404, and counts them', async () => {
    expect((await ask(`http://127.0.0.1:${sources.port}/robots.txt`)).response?.status).toBe(404);
    expect((await ask(`http://127.0.0.1:${sources.port}/s/2020/abc`)).response?.status).toBe(404);
    expect(sources.strangers()).toBe(2);
  });

  it('counts once, at the request line, however the request comes', async () => {
    const { token } = sources.plant('ok', 'ok');
    const socket = connect(sources.port, '127.0.0.1');
    for (const piece of ['GET /s/2020/', token, ' HTTP/1.1\r\n', 'Host:', ' x\r\n']) {
      socket.write(piece);
      await systemClock.sleep(5);
    }
    expect(sources.reached(token)).toBe(1);
    socket.write('Connection: close\r\n\r\n');
    await once(socket.resume(), 'close');
    expect(sources.reached(token)).toBe(1);
  });

  it('answers pipelined requests in sequence', async () => {
    const { token } = sources.plant('ok', 'ok');
    const one = `GET /s/2020/${token} HTTP/1.1\r\n\r\n`;
    expect((await say(`${one}${one}GET /s/2020/${token} HTTP/1.0\r\n\r\n`)).match(/200 OK/g)).toHaveLength(3);
    expect(sources.reached(token)).toBe(3);
    expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('endless: a blank now and then, until it is closed', async () => {
    const source = sources.plant('ok', 'endless');
    const pending = say(`GET ${new URL(source.url).pathname} HTTP/1.1\r\n\r\n`);
    await systemClock.sleep(250);
    expect((await ask(source.url, 'HEAD')).response?.status).toBe(200);
    await sources.close();
    expect(await pending).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*Content-Length: 9000\r\n[\s\S]*\r\n\r\n {2,4}$/);
  });

  it('stalled: half of the page, and nothing more until it is closed', async () => {
    const source = sources.plant('ok', 'stalled');
    const pending = say(`GET ${new URL(source.url).pathname} HTTP/1.1\r\n\r\n`);
    const early = await Promise.race([pending, systemClock.sleep(100).then(() => 'open')]);
    expect(early).toBe('open');
    await sources.close();
    const [head = '', body = ''] = (await pending).split('\r\n\r\n');
    const promised = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
    expect(body.length).toBeGreaterThan(0);
    expect(body.length).toBeLessThan(promised);
  });

  it('ends all connections at once when it is closed, and can be closed twice', async () => {
    const source = sources.plant('slow', 'slow');
    const pending = say(`GET /s/2020/${source.token} HTTP/1.1\r\n\r\n`);
    await systemClock.sleep(20);
    await sources.close();
    expect(await pending).toBe('');
    await sources.close();
    expect((await ask(source.url)).failure?.kind).toBe('refused');
  });

  it('says so when it can not listen', async () => {
    await expect(start({ port: sources.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('advertises what the profile says', async () => {
    const other = await start({ advertise: 'sources.example' });
    expect(other.plant('ok', 'ok').url).toContain(`http://sources.example:${other.port}/`);
    expect(other.plant('broken', 'refused').url).toMatch(/^http:\/\/sources\.example:\d+\//);
    await other.close();
    expect(placeOf('a.example:81', '127.0.0.1', 5)).toEqual({ host: 'a.example', port: 81 });
    expect(placeOf('[::1]:81', '127.0.0.1', 5)).toEqual({ host: '[::1]', port: 81 });
    expect(placeOf('::1', '127.0.0.1', 5)).toEqual({ host: '[::1]', port: 5 });
    expect(placeOf(undefined, '0.0.0.0', 5)).toEqual({ host: '127.0.0.1', port: 5 });
  });
});
