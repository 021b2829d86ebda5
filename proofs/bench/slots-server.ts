/** A service with a known knee: a number of slots, each busy for a fixed time; later requests queue. In a process of its own. */
import { createServer } from 'node:http';

const [slots, serviceMs] = process.argv.slice(2).map(Number) as [number, number];
const waiting: (() => void)[] = [];
let busy = 0;

/** Who waited begins when the one before was due, not when a timer came: else slow timers would lower the knee. */
function serve(answer: () => void, from: number): void {
  busy += 1;
  const due = from + serviceMs;
  const end = (): void => {
    busy -= 1;
    answer();
    const next = waiting.shift();
    if (next !== undefined) serve(next, due);
  };
  setTimeout(end, Math.max(0, due - performance.now()));
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (bytes) => {
    body += bytes;
  });
  request.on('end', () => {
    const answer = (): void => {
      response.setHeader('content-type', 'application/json');
      response.end(`{"status":"SUCCEEDED","items":[${body}]}`);
    };
    if (busy < slots) serve(answer, performance.now());
    else waiting.push(answer);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));
