/**
 * A service in a process of its own that answers with what it was given, after a delay that is known: none, 20 ms, one of two
 * that the message draws, or a stall of 2 s in the middle. On `{"tell":true}` it says when each message came and when it was answered.
 */
import { createServer } from 'node:http';
import { drawn } from '../../load/shared/chance.ts';

const kind = process.argv[2] ?? 'none';
const stallAfter = Number(process.argv[3] ?? 0);
const stallMs = 2000;
const seen = new Map<string, readonly [came: number, answered: number]>();
let served = 0;
let stallUntil = 0;

const delayOf = (now: number): number => {
  if (kind === 'constant') return 20;
  if (kind === 'bimodal') return drawn(5, served) < 0.1 ? 80 : 5;
  if (kind !== 'stall') return 0;
  if (served === stallAfter) stallUntil = now + stallMs;
  return Math.max(5, stallUntil - now);
};

const server = createServer((request, response) => {
  const came = performance.now();
  let text = '';
  request.on('data', (bytes) => {
    text += bytes;
  });
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    if (text.includes('"tell"')) {
      response.end(JSON.stringify([...seen]));
      return;
    }
    served += 1;
    const delay = delayOf(came);
    const answer = (): void => {
      const { message } = JSON.parse(text) as { message: string };
      // Answered is what has left.
      response.end(JSON.stringify({ items: [{ message }], status: 'OK' }), () => {
        if (kind !== 'none') seen.set(message, [came, performance.now()]);
      });
    };
    if (delay === 0) answer();
    else setTimeout(answer, delay);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
});
