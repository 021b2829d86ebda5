/** What a server says to a connection on which it has waited long enough is no answer to what was asked just then. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { profileFrom } from '../profile/parse.ts';
import type { Sending } from './recorder.ts';
import { visit } from './visit.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Answers the first request of each connection, and has stopped waiting when a second arrives. */
async function impatient(said: string): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      if (asked === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
      else socket.end(`HTTP/1.1 408 Request Timeout\r\n${said}Content-Length: 0\r\n\r\n`);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const asking: Sending = {
  purpose: 'ask',
  instance: 'main',
  method: 'GET',
  target: '/v1/auth/verify',
  who: 'nobody',
  headers: [],
  line: 'one',
};

it.each([
  ['with the word that it closes', 'Connection: close\r\n'],
  ['without a word', ''],
])('an idle 408 %s: the same is asked on a new connection', async (_, said) => {
  const profile = profileFrom({ address: await impatient(said) }, { source: 'a test', env: {}, readFile: () => '' });
  await visit(profile, { listening: false }, async ({ session, exchanges }) => {
    await session.recorder.send(asking);
    const { exchange } = await session.recorder.send(asking);
    expect(exchange.response?.status).toBe(200);
    expect(exchange.earlier).toEqual([2]);
    expect(exchanges[1]).toMatchObject({ response: { status: 408 }, connection: { use: 2 } });
  });
});

it('a kept connection that was closed: what looks for a limit asks on a new one', async () => {
  const profile = profileFrom({ address: await impatient('') }, { source: 'a test', env: {}, readFile: () => '' });
  await visit(profile, { listening: false }, async ({ session }) => {
    await session.recorder.probe(asking);
    const exchange = await session.recorder.probe(asking);
    expect(exchange).toMatchObject({ response: { status: 200 }, earlier: [2] });
  });
});
