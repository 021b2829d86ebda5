/** What looking for secrets costs, and what it finds where there are none: beside the work of a whole check, in ordinary answers. */
import { performance } from 'node:perf_hooks';
import { Secret } from '../../src/model/secret.ts';
import { seeded } from '../../src/random.ts';
import { Keyring } from '../../src/secrets/keyring.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import type { Figure } from './measure.ts';
import { ordinaryAnswer } from './ordinary.ts';

const mostHits = 0;
const corpusBytes = 100_000_000;

const ringOf = (count: number): Keyring => {
  const random = seeded(7);
  const ring = new Keyring();
  for (let at = 0; at < count; at += 1) {
    const body = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
    ring.register(new Secret(`key-${at}`, `vk_live_${body}`));
  }
  return ring;
};

export async function secrets(): Promise<Figure[]> {
  const ring = ringOf(100);
  const random = seeded(11);
  let bytes = 0;
  let hits = 0;
  while (bytes < corpusBytes) {
    const text = ordinaryAnswer(random);
    bytes += text.length;
    if (ring.redact(text) !== text) hits += 1;
  }
  const share = await shareOfCheck();
  return [
    {
      what: 'false hits in 100 MB of ordinary answers',
      value: String(hits),
      goal: `${mostHits}`,
      reached: hits === mostHits,
    },
    {
      what: 'looking for secrets, of the time of a check in memory',
      value: `${(100 * share).toFixed(1)} %`,
      goal: '≤ 5 % of a check over sockets, which takes ten times as long',
      reached: share <= 0.5,
    },
  ];
}

/** A check without any socket: all that is left is the harness's own work, and the reference service's. */
async function shareOfCheck(): Promise<number> {
  const { redact } = Keyring.prototype;
  let spent = 0;
  Keyring.prototype.redact = function (this: Keyring, ...given: Parameters<typeof redact>) {
    const from = performance.now();
    const result = redact.apply(this, given);
    spent += performance.now() - from;
    return result;
  };
  try {
    const rules = { rules: catalogue, version: rulesVersion, specification: 'bench' };
    const one = (seed: number) => tryOn(rules, { name: 'the reference', overlays: [] }, { depth: 'standard', seed });
    await one(1);
    spent = 0;
    const from = performance.now();
    for (let seed = 2; seed < 5; seed += 1) await one(seed);
    return spent / (performance.now() - from);
  } finally {
    Keyring.prototype.redact = redact;
  }
}
