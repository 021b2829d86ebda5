/** Pure: what a rule about every answer of a kind finds in a whole run, and where. */
import type { Context } from '../model/context.ts';
import { type Exchange, isOfOldVersion, member, presentedKey, succeeded } from '../model/exchange.ts';
import type { SweepRule } from '../model/rule.ts';
import type { Step } from '../model/run.ts';
import type { Scene } from '../model/scene.ts';
import type { Reason } from '../model/verdict.ts';
import { broughtBy } from './brought.ts';
import type { Point } from './narrow.ts';

/** What was written down, as far as judging goes. */
export interface Written {
  readonly exchanges: ReadonlyMap<number, Exchange>;
  readonly steps: readonly Step[];
  /** The profile's actors and keys, by name. Undefined: a run of before they were written down. */
  readonly profile: { readonly actors?: readonly string[]; readonly keys?: readonly string[] };
}

export interface Swept {
  readonly seen: readonly number[];
  /** How many of them were about an actor or a key of the profile. */
  readonly own: number;
  readonly reasons: readonly Reason[];
  /** Where it was asked how, as far as that is known. */
  readonly points: readonly (Point & { readonly worst: Reason['weight'] | undefined })[];
  /** Whether anything at all succeeded in the run: answers of a service that lets nothing through prove nothing. */
  readonly alive: boolean;
  /** A fault of the judge. */
  readonly failed?: string;
}

export function sweepOver(rule: SweepRule, steps: readonly Step[], written: Written): Swept {
  const { exchanges, profile } = written;
  const { scene, whole, asked, alive } = derivedFrom(written);
  const contexts = contextsIn(written);
  const brought = steps.flatMap((step) => broughtBy(rule, step, exchanges).evidence);
  const seen: number[] = [];
  const reasons: Reason[] = [];
  const points: Swept['points'][number][] = [];
  let own = 0;
  let failed: string | undefined;
  try {
    for (const each of rule.answering ? asked : whole) {
      if (!rule.includes(each, scene, brought)) continue;
      const found = rule.judge(each, scene, brought);
      seen.push(each.id);
      reasons.push(...found);
      if (isOwn(each, profile, rule.ofActors === true)) own += 1;
      const context = contexts.get(each.id);
      if (context !== undefined) points.push({ context, ...weighed(found) });
    }
  } catch (error) {
    failed = `the judge failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  return { seen, own, reasons, points, alive, ...(failed === undefined ? {} : { failed }) };
}

/** The one filter before each rule's own: came in whole, or with a body that nobody can read, and was no tidying up. */
const isWhole = ({ purpose, request, response, failure }: Exchange): boolean =>
  purpose !== 'cleanup' &&
  !prefersAnotherKind(request.headers) &&
  response !== undefined &&
  response.body.truncated !== true &&
  (failure === undefined || failure.kind === 'bad-coding');

/** What no address may hold: a server refuses it before the service sees it. Bytes beyond ASCII are read by many all the same. */
const isNoAddress = (target: string): boolean => /[\0-\x20"<>\\^`{|}]|%(?![0-9a-f]{2})/i.test(target);

/**
 * What a server or a proxy may turn down by itself: no address, another name of the host, the address of a proxy, an old version, a wish
 * for another protocol.
 */
function usualOf(all: readonly Exchange[]): readonly Exchange[] {
  const hosts = new Map<string, string>();
  return all.filter((exchange) => {
    const { instance, request } = exchange;
    const { target, headers } = request;
    const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '';
    if (!hosts.has(instance)) hosts.set(instance, host);
    const isOdd =
      isNoAddress(target) ||
      /^https?:/i.test(target) ||
      isOfOldVersion(exchange) ||
      headers.some(([name]) => name.toLowerCase() === 'upgrade');
    return host === hosts.get(instance) && !isOdd;
  });
}

/** Who asks for a page may get one: what that says of a service is for the rule that asks so. */
const prefersAnotherKind = (headers: Exchange['request']['headers']): boolean =>
  headers.some(
    ([name, value]) => name.toLowerCase() === 'accept' && /html|xml|plain/.test(value) && !/json/.test(value),
  );

function weighed(found: readonly Reason[]): { readonly bad: boolean; readonly worst: Reason['weight'] | undefined } {
  const worst = (['violation', 'warning', 'note'] as const).find((weight) =>
    found.some((reason) => reason.weight === weight),
  );
  return { bad: worst === 'violation', worst };
}

const actorIn = /\/v1\/actors\/([^/?#]+)/;

/** Whether an answer is about something that the profile names: not about an actor, a key or a path that a rule invented. */
function isOwn({ request }: Exchange, profile: Written['profile'], ofActors: boolean): boolean {
  const { actors, keys } = profile;
  if (actors === undefined || keys === undefined) return true;
  const [, segment] = actorIn.exec(request.target) ?? [];
  if (segment !== undefined && actors.includes(decoded(segment))) return true;
  if (ofActors) return false;
  if (segment === undefined && /\/v1\/(?:auth\/verify|admin\/keys)\b/.test(request.target)) return true;
  return request.headers.some(([, value]) => keys.some((name) => value.endsWith(`«${name}»`)));
}

export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What all sweeps need of a run. */
interface Derived {
  readonly size: number;
  readonly scene: Scene;
  /** Those that passed the one filter before each rule's own. */
  readonly whole: readonly Exchange[];
  /** All but what tidies up, answered or not. */
  readonly asked: readonly Exchange[];
  readonly alive: boolean;
}

const isVerified = (exchange: Exchange): boolean =>
  exchange.instance === 'main' && /\/v1\/auth\/verify$/.test(exchange.request.target) && succeeded(exchange);

const derived = new WeakMap<ReadonlyMap<number, Exchange>, Derived>();

/** Made once for a run that has grown no more: some fifty sweeps look at some thousands of exchanges each. */
function derivedFrom({ exchanges, profile }: Written): Derived {
  const known = derived.get(exchanges);
  if (known?.size === exchanges.size) return known;
  const planted = new Map<string, number>();
  const worked = new Map<string, number>();
  const served = new Map<string, number>();
  const shown = new Map<string, { readonly tier: string; readonly by: number }>();
  for (const exchange of exchanges.values()) {
    const { id, planted: own, request } = exchange;
    if (!worked.has(request.target) && isWholeSuccess(exchange)) worked.set(request.target, id);
    if (!served.has(request.target) && request.method === 'POST' && succeeded(exchange)) served.set(request.target, id);
    const tier = isVerified(exchange) ? member(exchange, 'tier') : undefined;
    const key = presentedKey(exchange);
    if (typeof tier === 'string' && !shown.has(key)) shown.set(key, { tier, by: id });
    if (own?.nonce !== undefined) planted.set(own.nonce, id);
    for (const { token } of own?.sources ?? []) planted.set(token, id);
  }
  const all = usualOf([...exchanges.values()]);
  const made: Derived = {
    size: exchanges.size,
    scene: { planted, worked, served, shown, actors: profile.actors ?? [] },
    whole: all.filter(isWhole),
    asked: all.filter(({ purpose }) => purpose !== 'cleanup'),
    alive: all.some(succeeded),
  };
  derived.set(exchanges, made);
  return made;
}

/** With sources, of which each was to work. */
const isWholeSuccess = (exchange: Exchange): boolean =>
  succeeded(exchange) &&
  (exchange.planted?.sources.length ?? 0) > 0 &&
  exchange.planted?.sources.every(({ behaviour }) => behaviour === 'ok') === true &&
  member(exchange, 'status') !== 'PARTIAL';

const sentIn = new WeakMap<readonly Step[], { known: number; readonly contexts: Map<number, Context> }>();

/** The context in which an exchange was asked. What is shared belongs to who asked it first. */
function contextsIn({ steps }: Written): ReadonlyMap<number, Context> {
  // Steps are only ever added.
  const so = sentIn.get(steps) ?? { known: 0, contexts: new Map() };
  for (const { sent = [], context } of steps.slice(so.known))
    for (const id of sent) if (!so.contexts.has(id)) so.contexts.set(id, context);
  so.known = steps.length;
  sentIn.set(steps, so);
  return so.contexts;
}
