/** The reference service compared with a bare node:http server that parses the body and answers the same bytes. */
import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';
import { demoKeys } from '../../fixtures/service/index.ts';
import { type Figure, median } from './measure.ts';

const rounds = 5;
const secondsEach = 1.5;
const connections = 16;
const key = demoKeys('bench').entitled.key;

const verify = `GET /v1/auth/verify HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n\r\n`;
const input = JSON.stringify({ message: 'a few plain words', copies: 1 });
const echo =
  'POST /v1/actors/message-relay/run-sync-get-dataset-items HTTP/1.1\r\nHost: bench\r\n' +
  `X-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${input.length}\r\n\r\n${input}`;

export async function serviceRate(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, request] of [
    ['verify', verify],
    ['an echo run', echo],
  ] as const) {
    const ours = await start('service');
    const bare = await start('bare', await answerOf(ours.port, request));
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const own = await rate(ours.port, request);
      ratios.push(own / (await rate(bare.port, request)));
    }
    ours.child.kill();
    bare.child.kill();
    const ratio = median(ratios);
    figures.push({
      what: `the reference service, ${what}, beside a bare node:http server`,
      value: `${ratio.toFixed(2)} × its requests a second`,
      goal: '≥ 0.8 ×',
      reached: ratio >= 0.8,
    });
  }
  return figures;
}

function start(kind: 'service' | 'bare', answer = ''): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL('./service-rate-server.ts', import.meta.url), [kind, answer], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (port) => resolve({ child, port: Number(port) }));
  });
}

/** The body of one answer: what the bare server will say. */
const answerOf = (port: number, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString('utf8').split('\r\n\r\n')[1] ?? '');
    });
  });

/** A closed loop over raw sockets: as little of a client as there can be. Every answer of these servers is one packet. */
async function rate(port: number, request: string): Promise<number> {
  let answers = 0;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', () => {
      answers += 1;
      socket.write(request);
    });
    socket.on('error', () => {});
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, secondsEach * 1000));
  for (const socket of sockets) socket.destroy();
  return answers / secondsEach;
}
