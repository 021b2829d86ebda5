/** The requests of a check of the reference, as the service sees them; and calls of the same routes by ordinary callers. */
import { isMainThread } from 'node:worker_threads';
import type { Transport } from '../../src/http/transport.ts';
import { seeded } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import { answerJobs } from '../threads.ts';
import type { Seen } from './features.ts';
import { askedBy, type Intent } from './ordinary.ts';
import { recordedClients } from './recorded.ts';

const rules = { rules: catalogue, version: rulesVersion, specification: 'camouflage' };
const clients = recordedClients();

export interface Kinds {
  readonly ours: readonly Seen[];
  /** In the transport's own order, as it went out before there were stacks: what the classifier must separate. */
  readonly undressed: readonly Seen[];
  readonly others: readonly Seen[];
}

export interface Traffic {
  readonly all: Kinds;
  /** What a caller sends whose program works: answered with success. The mistakes that a check makes on purpose are not among it. */
  readonly ordinary: Kinds;
}

interface Asked {
  readonly seen: Seen;
  readonly undressed: Seen;
  readonly intent: Intent;
  readonly isOrdinary: boolean;
}

async function trafficOf(seed: number): Promise<Traffic> {
  const asked: Asked[] = [];
  const wire = (inner: Transport): Transport => ({
    release: (line) => inner.release(line),
    close: () => inner.close(),
    async send(request, route, limits) {
      const outcome = await inner.send(request, route, limits);
      const body = request.body === undefined ? '' : Buffer.from(request.body).toString('utf8');
      const value = (wanted: string) => request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
      const { use } = outcome.connection;
      const own = request.headers.map(([name, text]) => `${name}: ${text}`);
      const length = request.body === undefined ? [] : [`content-length: ${request.body.length}`];
      const kept = `connection: ${route.line === undefined ? 'close' : 'keep-alive'}`;
      const lines = [`${request.method} ${request.target} HTTP/1.1`, 'host: 127.0.0.1:1001', kept, ...own, ...length];
      asked.push({
        seen: { head: outcome.requestHead, body, use },
        undressed: { head: `${lines.join('\r\n')}\r\n\r\n`, body, use },
        intent: {
          method: request.method,
          target: request.target,
          key: value('x-api-key'),
          token: value('x-admin-token'),
          hasBody: request.body !== undefined,
        },
        isOrdinary: (outcome.response?.status ?? 500) < 300,
      });
      return outcome;
    },
  });
  await tryOn(rules, { name: 'reference', overlays: [] }, { depth: 'quick', seed, wire });
  const kindsOf = (of: readonly Asked[], salt: number): Kinds => ({
    ours: of.map(({ seen }) => seen),
    undressed: of.map(({ undressed }) => undressed),
    others: askedBy(
      clients,
      of.map(({ intent }) => intent),
      seeded(seed ^ salt),
    ),
  });
  return {
    all: kindsOf(asked, 0x5eed),
    ordinary: kindsOf(
      asked.filter(({ isOrdinary }) => isOrdinary),
      0xca11,
    ),
  };
}

if (!isMainThread) answerJobs(trafficOf);
