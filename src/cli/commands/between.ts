/** `touchstone between`. */
import { join } from 'node:path';
import { createService, demoKeys, listen, MemoryStore, seedsOf } from '../../../fixtures/service/index.ts';
import { kindOf, randomMaterial } from '../../../fixtures/service/keys.ts';
import { type Injection, injectionOf, sumOf } from '../../between/injecting.ts';
import { judgeBetween } from '../../between/judge.ts';
import { type Service, serviceAt } from '../../between/service.ts';
import { systemClock } from '../../clock.ts';
import { exitCodes, outcomeOf } from '../../model/run.ts';
import { freshSeed } from '../../random.ts';
import { makeOutputFolder, openRunFile } from '../../runfile/write.ts';
import { catalogue, clientCatalogue, clientIds, ids, selectedFrom } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { lock } from '../lock.ts';
import { exitWith, out, say } from '../output.ts';
import { type ClientFlags, tell, waivingFor } from './client.ts';

export interface BetweenFlags
  extends Pick<
    ClientFlags,
    'waivers' | 'only' | 'skip' | 'seed' | 'strict' | 'json' | 'format' | 'output' | 'quiet' | 'verbose'
  > {
  readonly reference?: true;
  readonly host: string;
  readonly port: number;
  readonly duration?: number;
  readonly untilIdle?: number;
  readonly inject?: readonly string[];
  readonly sameRuns?: true;
  readonly most: number;
}

export async function between(address: string | undefined, flags: BetweenFlags): Promise<void> {
  if (flags.json && flags.format !== undefined)
    throw new UsageError('--json is --format json=-: use only one of them', 'formats-collide');
  const injections = injectionsOf(flags.inject ?? []);
  const destinations = destinationsOf(flags.json ? ['json=-'] : (flags.format ?? ['console']), flags.output);
  const selected = selectedFrom([...ids, ...clientIds], flags.only ?? [], flags.skip ?? []);
  const given = serviceOf(address, flags);
  const waiving = await waivingFor(flags);
  const stop = interruption(() => {}, 'Judging what has passed. Press Ctrl-C again to quit at once.');
  let unlock = (): void => {};
  let reference: Reference | undefined;
  try {
    makeOutputFolder(flags.output);
    unlock = lock(flags.output, '.check.lock', 'check');
    removeOld(destinations);
    const writer = openRunFile(join(flags.output, 'run.jsonl'), systemClock);
    stop.before(writer.flush);
    reference = given === undefined ? await startReference() : undefined;
    const run = await judgeBetween({
      catalogue,
      ofClients: clientCatalogue,
      service: given ?? reference!.service,
      ...(reference === undefined ? {} : { name: 'the embedded reference service' }),
      host: flags.host,
      port: flags.port,
      seed: flags.seed ?? freshSeed(),
      strict: flags.strict ?? false,
      sameRuns: flags.sameRuns ?? false,
      injections,
      most: flags.most,
      ...(selected === undefined ? {} : { selected }),
      ...(flags.duration === undefined ? {} : { durationMs: flags.duration }),
      ...(flags.untilIdle === undefined ? {} : { idleMs: flags.untilIdle }),
      ...waiving,
      signal: stop.signal,
      write: writer.write,
      listening: (at) => greet(at, given?.url ?? 'the embedded reference service', flags, reference),
    });
    writer.close();
    await tell(run, destinations, flags, writer.path);
    exitWith(exitCodes[outcomeOf(run)]);
  } finally {
    await reference?.close();
    unlock();
    stop.done();
  }
}

function serviceOf(address: string | undefined, { reference, json }: BetweenFlags): Service | undefined {
  if (address !== undefined && reference)
    throw new UsageError('an address and --reference: use only one of them', 'two-targets');
  if (reference && json && (process.env.TOUCHSTONE_API_KEY ?? '') === '')
    throw new UsageError(
      '--reference with --json: set TOUCHSTONE_API_KEY; otherwise the report would contain a key',
      'command-line',
    );
  if (reference) return undefined;
  if (address === undefined) throw new UsageError('no service: pass its address, or --reference', 'command-line');
  const service = serviceAt(address);
  // Whatever was wrong about it may be a credential: it is not repeated.
  if (typeof service === 'string')
    throw new UsageError(`the address of the service cannot be used: ${service}`, 'command-line');
  return service;
}

function injectionsOf(texts: readonly string[]): readonly Injection[] {
  const injections = texts.map((text) => {
    const injection = injectionOf(text, clientCatalogue.situations);
    if (typeof injection === 'string') throw new UsageError(`--inject: ${injection}`, 'command-line');
    return injection;
  });
  if (sumOf(injections) > 1.000001)
    throw new UsageError(
      '--inject: the rates add up to more than 1, but a call meets at most one situation',
      'command-line',
    );
  return injections;
}

/** On standard error: standard output is for reports, and for keys, which standard error never shows. */
function greet(
  at: string,
  behind: string,
  { host, duration, untilIdle }: BetweenFlags,
  reference: Reference | undefined,
): void {
  say(`Touchstone listens at ${at} and passes everything on to ${behind}.`);
  if (reference !== undefined && reference.keys.length > 0) {
    out('A key of the reference service, shown only once:');
    for (const [name, key] of reference.keys) out(`  export ${name}=${key}`);
  }
  if (!/^(?:127\.|::1$|localhost$)/.test(host)) say(`Others on the network can reach the service through ${host} now.`);
  const ends = [
    ...(duration === undefined ? [] : [`after ${duration / 1000} s`]),
    ...(untilIdle === undefined ? [] : [`when nothing has passed for ${untilIdle / 1000} s`]),
    'on Ctrl-C',
  ];
  say(`It judges what has passed ${ends.join(', or ')}.`);
}

interface Reference {
  readonly service: Service;
  readonly keys: readonly (readonly [variable: string, key: string])[];
  close(): Promise<void>;
}

/** Keys of the environment are used where they are there, and not shown. */
async function startReference(): Promise<Reference> {
  const keys = demoKeys(randomMaterial());
  const own = process.env.TOUCHSTONE_API_KEY ?? '';
  if (own !== '' && kindOf(own) === undefined)
    throw new UsageError(
      'TOUCHSTONE_API_KEY does not fit the reference service: vk_live_ or vk_test_, and 32 more characters',
      'wrong-key',
    );
  const seeds = seedsOf(keys);
  const listening = await listen(
    createService({
      store: new MemoryStore(),
      keys: own === '' ? seeds : [...seeds, { key: own, tier: 'pro', features: ['geo'] }],
      keyLimits: false,
      addressLimit: false,
    }),
  );
  return {
    service: serviceAt(listening.url) as Service,
    keys: own === '' ? [['API_KEY', keys.entitled.key]] : [],
    close: () => listening.close(),
  };
}
