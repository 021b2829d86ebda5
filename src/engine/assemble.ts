/** Puts a session together from what the engine was handed. */
import type { Exchange } from '../model/exchange.ts';
import { Secret } from '../model/secret.ts';
import type { Gates } from './gates.ts';
import { Keyring } from './keyring.ts';
import type { EngineOptions } from './options.ts';
import { subjectOf } from './prepare.ts';
import { hashOf, seeded } from './random.ts';
import { Recorder } from './recorder.ts';
import type { Session } from './session.ts';

export function assemble(options: EngineOptions, gates: Gates, written: (exchange: Exchange) => void): Session {
  const { profile, clock, transport, sources, seed, signal, control = {} } = options;
  const keyring = new Keyring();
  const secrets = [
    ...profile.keys.map((key) => key.secret),
    profile.admin?.token,
    profile.disabled?.key,
    ...profile.headers.map(([, value]) => value),
  ];
  for (const secret of secrets) if (secret instanceof Secret) keyring.register(secret);
  const ending = signal === undefined ? {} : { signal };
  const recorder = new Recorder({
    transport,
    clock,
    keyring,
    gates,
    instances: { main: profile, ...(profile.disabled === undefined ? {} : { disabled: profile.disabled }) },
    addedHeaders: profile.headers,
    timeoutMs: profile.bounds.timeoutMs,
    patienceMs: profile.bounds.patienceMs,
    maxBodyBytes: profile.bounds.maxBodyBytes,
    ...ending,
    written,
  });
  let names = 0;
  return {
    profile,
    recorder,
    keyring,
    sources,
    clock,
    control,
    seed,
    random: seeded(seed ^ hashOf('nonces')),
    ...ending,
    made: new Map(),
    twins: new Map(),
    questions: new Map(),
    subject: subjectOf(profile, {
      restart: control.restart !== undefined,
      dump: control.dump !== undefined,
      ...(control.lacks === undefined ? {} : { lacks: control.lacks }),
    }),
    newName: (kind) => {
      names += 1;
      return `${kind}-${names}`;
    },
    release: (line) => transport.release(line),
  };
}
