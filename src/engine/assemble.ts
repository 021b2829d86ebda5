/** Puts a session together from what the engine was handed. */
import type { Exchange } from '../model/exchange.ts';
import { Secret } from '../model/secret.ts';
import type { Profile } from '../profile/profile.ts';
import { hashOf, type Random, seeded } from '../random.ts';
import { Keyring } from '../secrets/keyring.ts';
import { version } from '../version.ts';
import { token, tokenOf } from '../words.ts';
import { clientsBy } from './disguise.ts';
import type { Gates } from './gates.ts';
import { MadeKeys } from './made.ts';
import type { EngineOptions } from './options.ts';
import { subjectOf } from './prepare.ts';
import { Recorder } from './recorder.ts';
import type { Session } from './session.ts';
import { SharedLines } from './shared-lines.ts';
import { Turns } from './turns.ts';

/** What a session is made of: also one that asks a few questions and is no run. */
export type SessionOptions = Pick<
  EngineOptions,
  | 'profile'
  | 'clock'
  | 'stalls'
  | 'transport'
  | 'sources'
  | 'seed'
  | 'signal'
  | 'control'
  | 'direct'
  | 'probeLimits'
  | 'journal'
  | 'witness'
>;

/** Every secret that a profile holds. */
export function keyringOf(...profiles: readonly Profile[]): Keyring {
  const keyring = new Keyring();
  for (const profile of profiles) {
    const secrets = [
      ...profile.keys.map((key) => key.secret),
      profile.admin?.token,
      profile.disabled?.key,
      ...profile.headers.map(([, value]) => value),
    ];
    for (const secret of secrets) if (secret instanceof Secret) keyring.register(secret);
  }
  return keyring;
}

export function assemble(options: SessionOptions, gates: Gates, written: (exchange: Exchange) => void): Session {
  const { profile, clock, transport, sources, seed, signal, control = {} } = options;
  const keyring = keyringOf(profile);
  const ending = signal === undefined ? {} : { signal };
  const recorder = new Recorder({
    transport,
    clock,
    keyring,
    gates,
    instances: { main: profile, ...(profile.disabled === undefined ? {} : { disabled: profile.disabled }) },
    addedHeaders: profile.identify ? [...profile.headers, ['User-Agent', `Touchstone/${version}`]] : profile.headers,
    timeoutMs: profile.bounds.timeoutMs,
    patienceMs: profile.bounds.patienceMs,
    maxBodyBytes: profile.bounds.maxBodyBytes,
    ...ending,
    written,
  });
  let names = 0;
  const newName = (kind: string): string => {
    names += 1;
    return `${kind}-${names}`;
  };
  const release = (line: string): void => transport.release(line);
  const lines = new SharedLines(seeded(seed ^ hashOf('shared lines')), () => newName('line'), release);
  const random = seeded(seed ^ hashOf('nonces'));
  return {
    profile,
    recorder,
    keyring,
    sources,
    clock,
    control,
    ...(options.stalls === undefined ? {} : { stalls: options.stalls }),
    seed,
    turns: new Turns(),
    clientsFor: clientsBy(profile, seed, { respelling: false }),
    random,
    nonce: noncesOf(random, options.witness?.root),
    ...ending,
    made: new MadeKeys((text) => keyring.redact(text) !== text, options.journal),
    twins: new Map(),
    patience: new Map(),
    questions: new Map(),
    idle: [],
    newKeys: { awaited: 0 },
    wantsNumbers: false,
    isWhole: false,
    seesApart: isStated(profile) ? 'stated' : options.direct ? 'direct' : 'unknown',
    subject: subjectOf(
      profile,
      {
        restart: control.restart !== undefined,
        dump: control.dump !== undefined,
        ...(control.lacks === undefined ? {} : { lacks: control.lacks }),
      },
      options.probeLimits,
    ),
    newName,
    sharedLine: (purpose) => lines.next(purpose),
    release,
  };
}

function noncesOf(random: Random, root: string | undefined): () => string {
  if (root === undefined) return () => token(random);
  let number = 0;
  return () => {
    number += 1;
    return tokenOf(root, number);
  };
}

/** Addresses that the service can distinguish according to the profile, or a header that it trusts. */
const isStated = ({ limits }: Profile): boolean => limits.addresses !== undefined || limits.trustedHeader !== undefined;
