/** `touchstone serve`: the reference service, for trying clients and this harness on. */
import { existsSync } from 'node:fs';
import { actors, type SeedKey, serve as start } from '../../../fixtures/service/index.ts';
import { kindOfKey } from '../../model/secret.ts';
import { UsageError } from '../errors.ts';
import { out, say } from '../output.ts';

export interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly database?: string;
  /** False: nobody is refused for asking too much. */
  readonly limits: boolean;
}

const variables = [
  { name: 'TOUCHSTONE_API_KEY', tier: 'pro', features: ['geo'] },
  { name: 'TOUCHSTONE_TEST_KEY', tier: 'pro', features: ['geo'] },
  { name: 'TOUCHSTONE_RESTRICTED_KEY', tier: 'free', features: [] },
] as const;

export async function serve(flags: ServeFlags): Promise<void> {
  const keys = keysGiven(flags);
  const adminToken = process.env.TOUCHSTONE_ADMIN_TOKEN;
  const serving = await opened(flags, keys, adminToken);
  out(`The reference service listens at ${serving.url} (Ctrl-C ends it).`);
  const { demoKeys } = serving;
  if (demoKeys !== undefined) {
    out('Its keys, shown only once:');
    out(`  export TOUCHSTONE_API_KEY=${demoKeys.entitled.key}`);
    out(`  export TOUCHSTONE_TEST_KEY=${demoKeys.entitledTest.key}`);
    out(`  export TOUCHSTONE_RESTRICTED_KEY=${demoKeys.free.key}`);
  }
  out(
    serving.adminEnabled
      ? 'The admin interface accepts TOUCHSTONE_ADMIN_TOKEN.'
      : 'The admin interface is disabled: TOUCHSTONE_ADMIN_TOKEN is not set.',
  );
  out(`Its actors: ${actors.map(({ name }) => name).join(', ')}`);
  out(`Describe it: touchstone init ${serving.url} --run --actor text-digest,message-relay,page-harvest`);
  out(`Check it: touchstone check ${serving.url}`);
  await ended();
  await serving.close();
}

/** Undefined: demonstration keys are made. A database that was there has its keys already. */
function keysGiven({ database }: ServeFlags): readonly SeedKey[] | undefined {
  const given = variables.flatMap(({ name, tier, features }) => {
    const key = process.env[name] ?? '';
    if (key === '') return [];
    if (kindOfKey(key) === undefined || !/^[\x21-\x7e]+$/.test(key))
      throw new UsageError(
        `${name} is malformed: a key begins with vk_live_ or vk_test_ and contains no spaces`,
        'wrong-key',
      );
    return [{ key, tier, features }];
  });
  if (given.length > 0) return given;
  return database !== undefined && existsSync(database) ? [] : undefined;
}

async function opened(
  { host, port, database, limits }: ServeFlags,
  keys: readonly SeedKey[] | undefined,
  adminToken: string | undefined,
) {
  try {
    return await start({
      host,
      port,
      adminToken,
      ...(database === undefined ? {} : { database }),
      ...(limits ? {} : { keyLimits: false, addressLimit: false }),
      ...(keys === undefined ? {} : { keys }),
      report: (error) => say(error instanceof Error ? `the service failed: ${error.message}` : String(error)),
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_SQLITE'))
      throw new UsageError(`the database ${database} cannot be used: ${error.message}`, 'unusable-database');
    throw error;
  }
}

const ended = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
