/** Each key in each disguise in each place, sent over a socket: how much of it is recorded, and whether the rule and `certify` find it. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { secretsIn } from '../../src/certificate/scan.ts';
import { visit } from '../../src/engine/visit.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { Secret } from '../../src/model/secret.ts';
import { profileFrom } from '../../src/profile/parse.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { Keyring } from '../../src/secrets/keyring.ts';
import { echoesIn } from '../../suites/language/echoes.ts';
import { tokenNearMisses } from '../../suites/language/near-misses.ts';
import { disguises } from './disguises.ts';
import { spots } from './spots.ts';

/** None opens anything. */
export const forms: Readonly<Record<string, string>> = {
  'letters and digits behind a prefix': 'vk_live_Zq7Xc4LmP0aTr9WkYe2NhB5vUd8SgJ1f',
  'hexadecimal behind a prefix': 'vk_test_7c41e09fa35b8d262e90c4f71ab3d58e',
  UUID: '5b1f9c02-7de4-4a83-b6c9-20e8d41f7a35',
  'sixteen characters': 'kR8vT2qLx9Wb4ZnC',
};

export interface Missed {
  readonly form: string;
  readonly disguise: string;
  readonly spot: string;
  readonly what: string;
}

export interface Row {
  readonly family: string;
  readonly spellings: number;
  readonly tried: number;
  readonly missed: readonly Missed[];
}

interface Sent {
  readonly form: string;
  /** The keys that are presented and echoed. */
  readonly secret: Secret;
  readonly near: boolean;
}

/** What a service that is sent it reads. */
function textOf(secret: Secret): string {
  let read = '';
  secret.derive('read', (value) => {
    read = value;
    return value;
  });
  return read;
}

const isNear = (name: string): boolean => /one character|the other case/.test(name);

/** The keys themselves, and what is nearly one of them. */
function presented(): readonly Sent[] {
  return Object.entries(forms).flatMap(([form, value], at) => {
    const right = new Secret(`key-${at}`, value);
    const near = tokenNearMisses
      .filter(({ name }) => isNear(name))
      .map(({ name, of }) => ({ form: `${form}, ${name}`, secret: of(right) as Secret, near: true }));
    return [{ form, secret: right, near: false }, ...near];
  });
}

const profileAt = (address: string): Profile =>
  profileFrom({ address }, { source: 'a proof', env: {}, readFile: () => '' });

export async function tryDisguises(): Promise<readonly Row[]> {
  let next: Uint8Array = new Uint8Array(0);
  const keys = new Keyring();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (!heard.includes('\r\n\r\n')) return;
      heard = '';
      socket.write(next);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = profileAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    return await visit(profile, { listening: false }, async ({ session }) => {
      for (const { secret } of presented().filter(({ near }) => !near)) {
        session.keyring.register(secret);
        keys.register(secret);
      }
      const ask = async (secret: Secret): Promise<Exchange> => {
        const sending = {
          purpose: 'ask',
          instance: 'main',
          method: 'GET',
          target: '/v1/auth/verify',
          who: 'all',
        } as const;
        return (await session.recorder.send({ ...sending, headers: [['X-API-Key', secret]], line: 'one' })).exchange;
      };
      const rows: Row[] = [];
      for (const [family, spellings] of Object.entries(disguises)) {
        const missed: Missed[] = [];
        let tried = 0;
        for (const { form, secret, near } of presented())
          for (const disguise of spellings)
            for (const [spot, write] of Object.entries(spots)) {
              tried += 1;
              next = write(disguise.spell(textOf(secret)));
              const what = missedOf(await ask(secret), next, near ? undefined : keys);
              if (what !== undefined) missed.push({ form, disguise: disguise.name, spot, what });
            }
        rows.push({ family, spellings: spellings.length, tried, missed });
      }
      return rows;
    });
  } finally {
    server.close();
  }
}

/** A certificate knows the keys alone, so near misses do not concern it. */
function missedOf(exchange: Exchange, told: Uint8Array, keys: Keyring | undefined): string | undefined {
  if (exchange.response === undefined) return `no answer: ${exchange.failure?.says}`;
  const { body, head, early = '' } = exchange.response;
  const written = `${early}${head}${body.text ?? Buffer.from(body.base64 ?? '', 'base64').toString('utf8')}`;
  if (!/«[^»]*key-\d[^»]*»/.test(written)) return 'written down';
  if (echoesIn(exchange).length === 0) return 'no violation';
  if (keys !== undefined && secretsIn(new Map([['run.jsonl', told]]), keys).length === 0) return 'certified';
  return undefined;
}
