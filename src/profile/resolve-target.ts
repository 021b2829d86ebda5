/** The target from what was written to what src/target takes. Everything has been checked. */
import { Secret } from '../model/secret.ts';
import { pathKey } from './problems.ts';
import type { ProfileTarget, TargetEnvironment } from './profile-target.ts';
import { byteCount, duration } from './scalars.ts';
import { mostMemory, type WrittenTarget } from './shape-target.ts';

type Raw = ReadonlyMap<string, string>;

export function resolveTarget(written: WrittenTarget, raw: Raw): ProfileTarget {
  const { status } = written.ready ?? {};
  const common = {
    env: environment(written.env, ['target', 'env'], raw),
    https: written.https ?? false,
    ready: {
      path: written.ready?.path ?? '/v1/auth/verify',
      ...(status === undefined ? {} : { status: typeof status === 'number' ? [status] : status }),
      withinMs: duration(written.ready?.within ?? '60s') ?? 60_000,
    },
    stopMs: duration(written.stop ?? '5s') ?? 5000,
    restart: written.restart ?? true,
    ...(written.second === undefined ? {} : { second: resolveSecond(written.second, raw) }),
    ...(written.store === undefined ? {} : { store: resolveStore(written.store) }),
  };
  const port = written.port === undefined ? {} : { port: written.port };
  if (written.container !== undefined)
    return {
      kind: 'container',
      image: written.container,
      ...common,
      ...port,
      ...(written.arguments === undefined ? {} : { arguments: written.arguments }),
      ...(written.memory === undefined ? {} : { memoryBytes: byteCount(written.memory, mostMemory)! }),
      ...(written.cpus === undefined ? {} : { cpus: written.cpus }),
    };
  if (written.compose !== undefined)
    return { kind: 'compose', file: written.compose, service: written.service!, ...common, port: written.port! };
  const { command = [] } = written;
  return {
    kind: 'command',
    command: typeof command === 'string' ? [command] : command,
    shell: written.shell ?? false,
    ...(written.folder === undefined ? {} : { folder: written.folder }),
    ...common,
    ...port,
    ...(written.port_in_output === undefined ? {} : { portInOutput: written.port_in_output }),
  };
}

/** A value from outside counts as a secret; a value in the profile can be read there anyway. */
function environment(written: WrittenTarget['env'], path: readonly string[], raw: Raw): TargetEnvironment {
  return Object.fromEntries(
    Object.entries(written ?? {}).map(([name, value]) => [
      name,
      value !== null && raw.has(pathKey([...path, name])) ? new Secret(`env:${name}`, value) : value,
    ]),
  );
}

const resolveSecond = (second: NonNullable<WrittenTarget['second']>, raw: Raw) =>
  typeof second === 'boolean' ? (false as const) : { env: environment(second.env, ['target', 'second', 'env'], raw) };

const resolveStore = (store: NonNullable<WrittenTarget['store']>) => ({
  from: store.path === undefined ? { command: store.command! } : { path: store.path },
  ...(store.service === undefined ? {} : { service: store.service }),
  here: store.here ?? false,
});
