/** The reference service, which says every secret that it has ever heard in every place and every spelling. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  createService,
  MemoryStore,
  type SeedKey,
  type Service,
  type ServiceResponse,
} from '../../fixtures/service/index.ts';
import { encodings } from './encodings.ts';

export interface Echoing {
  readonly url: string;
  /** Keys that were made since it was asked to forget them. */
  readonly issued: ReadonlySet<string>;
  forget(): void;
  close(): Promise<void>;
}

export interface EchoingOptions {
  readonly keys: readonly SeedKey[];
  readonly adminToken?: string;
  readonly secrets: readonly string[];
  readonly manner: Manner;
}

/** `loud`: in every place of every answer. `headers`: bodies stay as they are, so that a run gets far. `quiet`: nothing is echoed. */
export type Manner = 'loud' | 'headers' | 'quiet';

/** Old enough that the answer that showed it has been read, in which alone it can be new. */
const knownMs = 1000;

export async function echoing({ keys, adminToken, secrets, manner }: EchoingOptions): Promise<Echoing> {
  const issued = new Map<string, number>();
  const service: Service = createService({
    keys,
    store: new MemoryStore(),
    adminToken,
    upstreamTimeoutMs: 200,
    keyLimits: false,
    addressLimit: false,
  });
  let asked = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      asked += 1;
      const headers: [string, string][] = [];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        headers.push([request.rawHeaders[at]!, request.rawHeaders[at + 1]!]);
      const answer = await service.handle({
        method: request.method!,
        target: request.url!,
        headers,
        body: Buffer.concat(chunks),
        remoteAddress: '127.0.0.1',
        connection: { id: 1, nth: asked },
      });
      const now = Date.now();
      const text = typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString('utf8');
      const fresh = request.method === 'POST' ? (/"key":"(vk_[^"]+)"/.exec(text)?.[1] ?? '') : '';
      if (fresh !== '') issued.set(fresh, now);
      // A key in an answer that nobody can read is known to nobody: this service shows its keys in whole ones.
      const torn = manner === 'loud' && asked % 16 === 1 && fresh === '';
      const known = [...issued].filter(([key, at]) => key === fresh || now - at > knownMs).map(([key]) => key);
      said(request, response, answer, text, [...secrets, ...known.slice(-3)], asked, manner, torn);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get issued() {
      return new Set(issued.keys());
    },
    forget: () => issued.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const spellings = Object.entries(encodings);

function said(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ServiceResponse,
  text: string,
  secrets: readonly string[],
  turn: number,
  manner: EchoingOptions['manner'],
  torn: boolean,
): void {
  if (answer.abort !== undefined) {
    response.destroy();
    return;
  }
  if (manner === 'quiet') {
    response.writeHead(answer.status, answer.headers.flat());
    response.end(text);
    return;
  }
  const secret = secrets[turn % secrets.length]!;
  const [name, encode] = spellings[Math.floor(turn / secrets.length) % spellings.length]!;
  const spelled = encode(secret);
  const inHeader = /^[\x21-\x7e]+$/.test(spelled) ? spelled : encodings['hexadecimal, small']!(secret);
  const headers: string[] = answer.headers.flatMap(([each, value]) =>
    each.toLowerCase() === 'content-length' ? [] : [each, value],
  );
  headers.push('x-echo', inHeader);
  headers.push(`x-${encodings['hexadecimal, small']!(secret)}`, 'a name');
  if (/^[A-Za-z0-9_-]+$/.test(secret)) headers.push(`x-${secret}`, 'a name too');
  const told = manner === 'loud' ? withEchoes(text, secrets, `${name}: ${spelled}`, turn) : text;
  let body: Buffer = Buffer.from(told, 'utf8');
  if (turn % 4 === 1 && body.length > 0) {
    body = gzipSync(body);
    headers.push('content-encoding', 'gzip');
    // Torn now and then: what can't be unpacked is kept as it came.
    if (torn) body = body.subarray(0, -6);
  }
  response.writeHead(answer.status, reason(inHeader, manner), headers);
  if (request.method === 'HEAD' || answer.status === 204 || answer.status === 304) {
    response.end();
    return;
  }
  // In two pieces, and the secret in both.
  const found = body.indexOf(secret);
  const middle = found < 0 ? body.length >> 1 : found + (secret.length >> 1);
  if (middle > 0) response.write(body.subarray(0, middle));
  response.end(body.subarray(middle));
}

const reason = (spelled: string, manner: string): string => (manner === 'loud' ? `Because ${spelled}` : 'OK');

/** Beside what the service says, and in the texts that people are shown. */
function withEchoes(text: string, secrets: readonly string[], one: string, turn: number): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${text}\n${secrets.join('\n')}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
  const body = value as Record<string, unknown>;
  // One secret an answer, or every run would be as large as it is slow to search.
  const mine = secrets[turn % secrets.length]!;
  const all = spellings.map(([, encode]) => encode(mine));
  for (const name of ['error', 'detail', 'message', 'description', 'title'])
    if (typeof body[name] === 'string') body[name] = `${String(body[name])} ${secrets[turn % secrets.length]} ${one}`;
  const schema = body.inputSchema ?? body.input_schema ?? body.schema;
  if (typeof schema === 'object' && schema !== null)
    Object.assign(schema, { description: secrets.join(' '), examples: all.slice(0, 40), $comment: one });
  const packed = [0, 1, 2].map((pad) => Buffer.from(`${'-'.repeat(pad)}${mine}--`).toString('base64'));
  const escaped = `"${encodings['JSON escapes']!(secrets[turn % secrets.length]!)}"`;
  const rest = JSON.stringify({ ...body, echo: all, packed, [`name ${secrets[turn % secrets.length]}`]: one });
  return `${rest.slice(0, -1)},"escaped":${escaped}}`;
}
