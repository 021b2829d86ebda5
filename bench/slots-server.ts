/** A service with a known knee: so many slots, each busy for so long; who comes later waits in line. In a process of its own. */
import { createServer } from 'node:http';

const [slots, serviceMs] = process.argv.slice(2).map(Number) as [number, number];
const waiting: (() => void)[] = [];
let busy = 0;
/** When each slot is free again: by the clock, not by when a timer came, or a slow timer would make the knee lower. */
const free = new Array<number>(slots).fill(0);

function serve(answer: () => void): void {
  if (busy >= slots) {
    waiting.push(answer);
    return;
  }
  busy += 1;
  const slot = free.indexOf(Math.min(...free));
  const now = performance.now();
  // Work that could have begun while a timer was late has begun then.
  const from = now - free[slot]! < 20 && waitedFor ? free[slot]! : now;
  free[slot] = from + serviceMs;
  setTimeout(
    () => {
      busy -= 1;
      answer();
      const next = waiting.shift();
      if (next !== undefined) {
        waitedFor = true;
        serve(next);
        waitedFor = false;
      }
    },
    Math.max(0, free[slot]! - now),
  );
}
let waitedFor = false;

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (bytes) => {
    body += bytes;
  });
  request.on('end', () =>
    serve(() => {
      response.setHeader('content-type', 'application/json');
      response.end(`{"status":"SUCCEEDED","items":[${body}]}`);
    }),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));
