/** One check of the reference service whose bytes are harmed on their way, through the real reader of HTTP. */

import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { createService, listen, seedsOf } from '../../fixtures/service/index.ts';
import { checkWith } from '../../src/check.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { profileFrom } from '../../src/profile/parse.ts';
import { hashOf, seeded } from '../../src/random.ts';
import { adminToken, matrixKeys } from '../matrix/try-on.ts';
import { one } from './chance.ts';
import { harmingProxy } from './harming-proxy.ts';
import { problemsOfRun, type Written } from './held.ts';
import { catalogue, type Fuzzed } from './trial.ts';
import { watched } from './watched.ts';

/** A harmed answer is waited for in vain as often as not: as many as that at half a second each, and the rules that all of it may take. */
const bounds = { timeout: '500ms', upstream: '300ms', revocation: '500ms', patience: '1s', max_wait: '2s' };
const longestMs = 240_000;
const ruleShare = 0.25;

export async function fuzzOnSockets(seed: number): Promise<Fuzzed> {
  const random = seeded(seed ^ hashOf('sockets'));
  const share = one(random, [0.01, 0.05, 0.2]);
  // By their names: a new rule changes nothing for the others.
  const asked = catalogue.rules.filter(
    ({ id }) => !/^(?:limit|address)\./.test(id) && seeded(seed ^ hashOf(id))() < ruleShare,
  );
  const what = `seed ${seed}: on sockets, ${share * 100} % of what is said harmed, ${asked.length} rules`;
  let harmed = 0;
  const count = (): void => {
    harmed += 1;
  };
  const service = createService({
    keys: seedsOf(matrixKeys),
    adminToken,
    // Within what the profile says of it.
    upstreamTimeoutMs: 150,
    keyLimits: false,
    addressLimit: false,
  });
  const listening = await listen(service);
  const proxy = await harmingProxy(listening.port, { random, share, count });
  try {
    const written = demoProfile({ address: `http://127.0.0.1:${proxy.port}`, adminToken, keys: matrixKeys });
    const readFile = (): never => {
      throw new Error('there are no files here');
    };
    const profile = profileFrom({ ...written, bounds }, { source: 'fuzz', env: {}, readFile });
    const { value, problems } = await watched(longestMs, async (signal): Promise<Written> => {
      const records: RunRecord[] = [];
      const run = await checkWith(catalogue, profile, {
        depth: 'quick',
        seed,
        signal,
        selected: new Set(asked.map(({ id }) => id)),
        write: (record) => records.push(record),
      });
      return { run, records };
    });
    const held = value === undefined ? [] : await problemsOfRun(value, catalogue.rules);
    return { what, harmed, exchanges: value?.run.exchanges.size ?? 0, problems: [...problems, ...held] };
  } finally {
    await proxy.close();
    await listening.close();
  }
}
