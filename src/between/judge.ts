/** A whole run between a client and a service: listen, relay, note, and judge both at the end. */
import { systemClock } from '../clock.ts';
import type { ClientCatalogue, ClientRule } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Catalogue } from '../model/rule.ts';
import {
  type PlannedRule,
  type Run,
  type RunFooter,
  type RunHeader,
  type RunRecord,
  runVersion,
} from '../model/run.ts';
import { type Finding, type Verdict, verdicts } from '../model/verdict.ts';
import type { Waiving } from '../model/waiving.ts';
import { seeded } from '../random.ts';
import { findingsOfPassed, sweepsOf, whyNotPassing } from '../verdict/between.ts';
import { version } from '../version.ts';
import { type Injection, injector } from './injecting.ts';
import { type Listener, listenBetween } from './listener.ts';
import { takeNotes } from './notes.ts';
import type { Service } from './service.ts';

export interface BetweenOptions {
  readonly catalogue: Catalogue;
  readonly ofClients: ClientCatalogue;
  readonly service: Service;
  /** For people, where it is no address. */
  readonly name?: string;
  readonly host: string;
  readonly port: number;
  readonly seed: number;
  readonly strict: boolean;
  readonly sameRuns: boolean;
  readonly injections: readonly Injection[];
  /** Calls in the record. */
  readonly most: number;
  readonly selected?: ReadonlySet<string>;
  readonly durationMs?: number;
  /** Ends when nothing has passed for this long, after something has. */
  readonly idleMs?: number;
  /** Ends it, by right: somebody has seen enough. */
  readonly signal: AbortSignal;
  readonly write: (record: RunRecord) => void;
  readonly listening: (address: string) => void;
  readonly waiving?: Waiving;
}

const everyMs = 50;
/** Calls that are under way at the end may take so long. */
const graceMs = 3000;

export async function judgeBetween(options: BetweenOptions): Promise<Run> {
  const { service, write, waiving, injections } = options;
  const clock = systemClock;
  const began = clock.now();
  const exchanges = new Map<number, Exchange>();
  const waiting: Exchange[] = [];
  const noted = (exchange: Exchange): void => {
    exchanges.set(exchange.id, exchange);
    write({ type: 'exchange', exchange });
  };
  let failure: { readonly error: unknown } | undefined;
  let begun = false;
  const notes = takeNotes({
    most: options.most,
    began,
    written: (exchange) => (begun ? noted(exchange) : waiting.push(exchange)),
  });
  const listener = await listenBetween({
    service,
    host: options.host,
    port: options.port,
    clock,
    notes,
    failed: (error) => {
      failure ??= { error };
    },
    inject: injector(injections, seeded(options.seed)),
  });
  const host = listener.host.includes(':') ? `[${listener.host}]` : listener.host;
  const address = `http://${host}:${listener.port}`;
  const header = headerOf(options, address);
  write(header);
  begun = true;
  for (const exchange of waiting) noted(exchange);
  options.listening(address);
  try {
    await enough(listener, options, () => failure !== undefined);
  } finally {
    await listener.close(graceMs);
  }
  // A record with holes is judged by nobody.
  if (failure !== undefined) throw failure.error;
  const found = findingsOfPassed(
    { planned: header.planned, exchanges },
    options.catalogue.rules,
    options.ofClients.rules,
  );
  const findings = found.map((finding) => waiving?.finding(finding) ?? finding);
  for (const finding of findings) write({ type: 'finding', finding });
  const waivers = waiving?.problems(findings, header.planned) ?? [];
  const unreachable = listener.reached() ? undefined : listener.unreached();
  const footer: RunFooter = {
    type: 'footer',
    ended: clock.date(),
    tookMs: Math.round(clock.now() - began),
    ...(unreachable === undefined ? {} : { unreachable }),
    counts: countsOf(findings),
    exchanges: exchanges.size,
    waits: [],
    leftBehind: [],
    remarks: remarksOf(exchanges, notes.missed, address),
    ...(waivers.length === 0 ? {} : { waivers }),
  };
  write(footer);
  return { header, findings, exchanges, steps: [], limits: [], footer };
}

async function enough(
  listener: Listener,
  { signal, durationMs, idleMs }: BetweenOptions,
  hasFailed: () => boolean,
): Promise<void> {
  const clock = systemClock;
  const until = clock.now() + (durationMs ?? Number.POSITIVE_INFINITY);
  const first = listener.lastAt();
  while (!signal.aborted && !hasFailed() && clock.now() < until) {
    const last = listener.lastAt();
    if (idleMs !== undefined && last > first && listener.open() === 0 && clock.now() - last >= idleMs) return;
    await clock.sleep(everyMs);
  }
}

function headerOf(options: BetweenOptions, address: string): RunHeader {
  const { catalogue, ofClients, service, sameRuns, selected } = options;
  const between = { sameRuns, address };
  const rules = [...ofClients.rules, ...sweepsOf(catalogue.rules)].filter(
    ({ id }) => selected === undefined || selected.has(id),
  );
  return {
    type: 'header',
    version: runVersion,
    touchstone: version,
    rules: { version: catalogue.version, specification: catalogue.specification },
    target: options.name ?? service.url,
    profile: { name: 'what passed', digest: '' },
    started: systemClock.date(),
    seed: options.seed,
    depth: 'standard',
    strict: options.strict,
    between,
    planned: rules.map((rule): PlannedRule => {
      const { id, clause, fix } = rule;
      const because = whyNotPassing(rule, between);
      return {
        rule: id,
        level: clause.level,
        clause: { id: clause.id, section: clause.section, says: clause.says },
        fix,
        contexts: 0,
        ...(isProvisional(rule) ? { provisional: true as const } : {}),
        ...(because === undefined ? {} : { untested: { because } }),
      };
    }),
  };
}

const isProvisional = (rule: ClientRule | Catalogue['rules'][number]): boolean =>
  'provisional' in rule && rule.provisional === true;

function remarksOf(exchanges: ReadonlyMap<number, Exchange>, missed: number, address: string): string[] {
  const injected = [...exchanges.values()].filter((each) => each.injected !== undefined).length;
  return [
    ...(exchanges.size === 0
      ? [`Nothing passed, so nothing was judged: use ${address} as the base address of the client.`]
      : []),
    ...(missed > 0 ? [`${missed} more calls passed after the record was full, and are not judged: see --most.`] : []),
    ...(injected > 0
      ? [
          `${injected} of ${exchanges.size} calls were answered or broken by Touchstone, and do not count against the service.`,
        ]
      : []),
  ];
}

const countsOf = (findings: readonly Finding[]): Record<Verdict, number> =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;
