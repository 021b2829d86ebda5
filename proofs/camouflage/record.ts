/**
 * `node proofs/camouflage/main.ts --record`: starts ten ordinary callers (callers/) against a server that writes down what each
 * sends, byte for byte, and writes recorded.json. Their packages are those of `npm run prove -- stacks`.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { installed } from '../stacks/install.ts';
import { type Stack, stacks } from '../stacks/stacks.ts';
import { adminToken, apiKey, type Call, type RecordedClient, recordedFile } from './recorded.ts';

const callers = join(import.meta.dirname, 'callers');

interface Caller {
  readonly client: string;
  /** Of proofs/stacks: whose kit has what it needs. */
  readonly stack: string;
  readonly command: readonly string[];
}

const ordinary: readonly Caller[] = [
  { client: 'curl', stack: 'curl', command: ['sh', 'curl.sh'] },
  { client: 'requests', stack: 'requests', command: ['python3', 'with_requests.py'] },
  { client: 'requests, without a session', stack: 'requests', command: ['python3', 'plain_functions.py', 'requests'] },
  { client: 'httpx', stack: 'httpx', command: ['python3', 'with_httpx.py'] },
  { client: 'httpx, without a client', stack: 'httpx', command: ['python3', 'plain_functions.py', 'httpx'] },
  { client: 'net/http', stack: 'net/http', command: ['go', 'run', 'nethttp.go'] },
  { client: 'axios', stack: 'axios', command: ['node', 'with-axios.mjs'] },
  { client: 'fetch', stack: 'fetch', command: ['node', 'with-fetch.mjs'] },
  { client: 'java.net.http', stack: 'java.net.http', command: ['java', 'JavaNet.java'] },
  { client: 'node:http', stack: 'fetch', command: ['node', 'with-http.mjs'] },
];

const answers: Readonly<Record<string, string>> = {
  DELETE: 'HTTP/1.1 204 No Content\r\n\r\n',
  wrong: 'HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"error":"none"}',
  other: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"items":[]}',
};

export async function record(say: (text: string) => void): Promise<void> {
  const recorded: RecordedClient[] = [];
  for (const { client, stack: name, command } of ordinary) {
    const stack = stacks.find((each) => each.name === name);
    if (stack === undefined) throw new Error(`proofs/stacks has no ${name}`);
    const calls = await callsOf(command, stack, installed(stack.kit, say));
    if (calls.length !== 7) throw new Error(`${client} sent ${calls.length} requests instead of 7`);
    recorded.push({ client, calls });
    say(
      `${client}: ${calls.length} requests over ${new Set(calls.map(({ connection }) => connection)).size} connections`,
    );
  }
  writeFileSync(recordedFile, `${JSON.stringify(recorded, undefined, 2)}\n`);
}

async function callsOf([program = '', ...args]: readonly string[], stack: Stack, kit: string): Promise<Call[]> {
  const calls: Call[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    listen(socket, connections, calls);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const more = Object.fromEntries(
    Object.entries(stack.env ?? {}).map(([each, text]) => [each, text.replaceAll('{folder}', kit)]),
  );
  const child = spawn(program, args, {
    cwd: callers,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...more,
      KIT: kit,
      BASE_URL: `http://127.0.0.1:${address.port}`,
      API_KEY: apiKey,
      ADMIN_TOKEN: adminToken,
    },
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  await new Promise((resolve) => server.close(resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return calls;
}

/** Bodies have a length here: a client that sends one in chunks would be missed, and the count says so. */
function listen(socket: Socket, connection: number, calls: Call[]): void {
  let text = '';
  socket.setEncoding('latin1').on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      const lines = head.replaceAll(/^(host): .*$/gim, '$1: {host}').split('\r\n');
      calls.push({ connection, head: lines, ...(body === '' ? {} : { body }) });
      const kind = head.startsWith('DELETE') ? 'DELETE' : head.includes('a-wrong-one') ? 'wrong' : 'other';
      socket.write(answers[kind] ?? '');
    }
  });
}
