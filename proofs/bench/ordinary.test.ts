import { expect, it } from 'vitest';
import { Secret } from '../../src/model/secret.ts';
import { seeded } from '../../src/random.ts';
import { Keyring } from '../../src/secrets/keyring.ts';
import { ordinaryAnswer } from './ordinary.ts';

it('nothing of a secret is found in a megabyte of ordinary answers; `npm run bench -- secrets` looks at a hundred', () => {
  const ring = new Keyring();
  for (let at = 0; at < 40; at += 1)
    ring.register(new Secret(`key-${at}`, `vk_live_${(at * 7919 + 104_729).toString(16).padStart(32, '9c1b7e')}`));
  const random = seeded(3);
  let bytes = 0;
  while (bytes < 1_000_000) {
    const text = ordinaryAnswer(random);
    bytes += text.length;
    expect(ring.redact(text)).toBe(text);
  }
});
