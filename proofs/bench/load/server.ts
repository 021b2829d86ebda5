/**
 * A service in a process of its own that answers with what it was given, after a delay that is known: none, 20 ms, one of two
 * that the message draws, or a stall of 2 s in the middle. Or one that does not behave: that is slow, admits ten a second, answers
 * with items of others or 500, closes each connection, or is gone in the middle. On `{"tell":true}` it says when each message came and when it was answered.
 */
import { createServer } from 'node:http';
import { drawn } from '../../../load/shared/chance.ts';

const kind = process.argv[2] ?? 'none';
const stallAfter = Number(process.argv[3] ?? 0);
const stallMs = 2000;
const seen = new Map<string, readonly [came: number, answered: number]>();
let served = 0;
let stallUntil = 0;
/** Of the one that admits ten a second. */
let second = 0;
let admitted = 0;
/** What the request before asked for. */
let before = '';

/** What it says instead, and with which status. */
function misbehaved(message: string, now: number): readonly [status: number, body: unknown] | undefined {
  if (kind === 'gone' && served > stallAfter) process.exit(0);
  // Calls before the load are served.
  if (served <= 3) return undefined;
  const other = before;
  before = message;
  if (kind === 'others') return [200, { items: [{ message: other }], status: 'OK' }];
  if (kind === 'errors') return [500, { error: 'internal' }];
  if (kind !== 'limited') return undefined;
  if (Math.floor(now / 1000) !== second) [second, admitted] = [Math.floor(now / 1000), 0];
  admitted += 1;
  return admitted <= 10 ? undefined : [429, { error: 'too many' }];
}

const delayOf = (now: number): number => {
  if (kind === 'constant') return 20;
  if (kind === 'slow') return 400;
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
      const [status, body] = misbehaved(message, came) ?? [200, { items: [{ message }], status: 'OK' }];
      response.statusCode = status;
      if (kind === 'closing') response.setHeader('Connection', 'close');
      // The process that the answer wakes may take the processor from us: read the clock before sending.
      if (kind !== 'none') seen.set(message, [came, performance.now()]);
      response.end(JSON.stringify(body));
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
