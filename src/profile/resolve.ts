/** From what was written to what the engine takes. Everything has been checked; nothing here can fail. */
import { type Grants, holdingOf, mayRun, type Needs, tiersFrom } from '../model/access.ts';
import { kindOfKey, Secret } from '../model/secret.ts';
import { actorRoles } from '../model/subject.ts';
import { pathKey } from './problems.ts';
import type { Profile, ProfileActor, ProfileAdmin, ProfileKey, ProfileOperation } from './profile.ts';
import { resolveClient } from './resolve-client.ts';
import { resolveLimits } from './resolve-limits.ts';
import { resolveLoad } from './resolve-load.ts';
import { resolveTarget } from './resolve-target.ts';
import { address, byteCount, duration } from './scalars.ts';
import type { WrittenActor, WrittenProfile } from './shape.ts';
import type { WrittenAdmin, WrittenOperation } from './shape-admin.ts';

/** Leaves out members that are undefined, as the resolved types want it. */
const present = <T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

export type Resolved = Omit<Profile, 'digest'>;

export function resolve(
  written: WrittenProfile,
  source: string,
  raw: ReadonlyMap<string, string>,
  ca: string | undefined,
  folder: string,
): Resolved {
  const keys = Object.entries(written.keys ?? {}).map(([name, key]) => resolveKey(name, key));
  return {
    source,
    folder,
    ...(written.target === undefined
      ? written.address === undefined && written.client !== undefined
        ? { origin: '', basePath: '' }
        : place(written.address ?? '')
      : { origin: '', basePath: baseOf(written.target.base) }),
    ...(written.target === undefined ? {} : { target: resolveTarget(written.target, raw) }),
    ...(written.client === undefined ? {} : { client: resolveClient(written.client) }),
    keys,
    tierOrder: written.tiers ?? [],
    grants: written.grants ?? {},
    actors: resolveActors(written.actors, keys, written.tiers ?? [], written.grants ?? {}),
    ...(written.admin === undefined ? {} : { admin: resolveAdmin(written.admin, featuresNeeded(written.actors)) }),
    ...(written.disabled === undefined ? {} : { disabled: resolveDisabled(written.disabled) }),
    sources: resolveSources(written.sources),
    bounds: resolveBounds(written.bounds),
    limits: resolveLimits(written, keys),
    headers: Object.entries(written.headers ?? {}).map(([name, value]) => [
      name,
      raw.has(pathKey(['headers', name])) ? new Secret(`header:${name}`, value) : value,
    ]),
    tls: {
      insecure: written.tls?.insecure ?? false,
      ...present({ ca, servername: written.tls?.servername }),
    } as Profile['tls'],
    identify: written.identify ?? false,
    strict: written.strict ?? false,
    complete: written.complete ?? false,
    concurrency: written.concurrency ?? 8,
    ...(written.load === undefined ? {} : { load: resolveLoad(written.load) }),
  };
}

function place(text: string): { readonly origin: string; readonly basePath: string } {
  const read = address(text);
  if ('wrong' in read) throw new TypeError(`an address that was never checked: it ${read.wrong}`);
  return read;
}

const baseOf = (path = ''): string => path.replace(/\/+$/, '');

function resolveKey(name: string, key: NonNullable<WrittenProfile['keys']>[string]): ProfileKey {
  const { value, role, tier, features, expendable, id } = typeof key === 'string' ? { value: key } : { ...key };
  const kind = kindOfKey(value);
  return {
    name,
    role: role ?? 'entitled',
    ...(kind === undefined ? {} : { kind }),
    ...(tier === undefined ? {} : { tier }),
    ...(features === undefined ? {} : { features }),
    ...(expendable === true ? { expendable: id === undefined ? {} : { id } } : {}),
    secret: new Secret(name, value),
  };
}

const listOf = <T>(entry: T | readonly T[] | undefined): readonly T[] =>
  entry === undefined ? [] : Array.isArray(entry) ? entry : [entry as T];

const writtenFeatures = ({ needs }: WrittenActor): readonly string[] =>
  typeof needs !== 'object' ? [] : [...new Set([...(needs.features ?? []), ...(needs.feature ? [needs.feature] : [])])];

const featuresNeeded = (actors: WrittenProfile['actors']): readonly string[] => [
  ...new Set(listOf<WrittenActor>(actors?.restricted).flatMap(writtenFeatures)),
];

/** As the profile states them, or as two keys show them of whom one may and one may not, where the tier alone decides. */
function needsOf(
  actor: WrittenActor,
  order: readonly string[],
  may: ProfileKey | undefined,
  mayNot: ProfileKey | undefined,
): Needs | undefined {
  if (actor.needs !== undefined) {
    const tier = typeof actor.needs === 'string' ? actor.needs : actor.needs.tier;
    return { features: writtenFeatures(actor), ...(tier === undefined ? {} : { tiers: tiersFrom(tier, order) }) };
  }
  const [enough, tooLow] = [may?.tier, mayNot?.tier];
  if (actor.by !== 'tier' || enough === undefined || tooLow === undefined || enough === tooLow) return undefined;
  const [upwards, rank] = [tiersFrom(enough, order).enough, order.indexOf(tooLow)];
  return { features: [], tiers: { enough: upwards, tooLow: rank === -1 ? [tooLow] : order.slice(0, rank + 1) } };
}

function resolveActors(
  actors: WrittenProfile['actors'],
  keys: readonly ProfileKey[],
  order: readonly string[],
  grants: Grants,
): ProfileActor[] {
  return actorRoles.flatMap((role) => {
    return listOf<WrittenActor>(actors?.[role]).map((actor): ProfileActor => {
      const { name, input, schema, schema_at } = actor;
      const { entitled: may, restricted: mayNot } = accessOf(actor, keys, order, grants);
      const [entitled, restricted] = [may?.name, mayNot?.name];
      const needs = needsOf(actor, order, may, mayNot);
      return {
        name,
        role,
        ...present({ input, schema, schemaAt: schema_at }),
        ...(role === 'restricted' ? present({ entitled, restricted, needs }) : {}),
      } as ProfileActor;
    });
  });
}

/** Named by the profile, or the first of whom its facts say so, or the first of its role of whom they say nothing else. */
function accessOf(actor: WrittenActor, keys: readonly ProfileKey[], order: readonly string[], grants: Grants) {
  const needs = actor.needs === undefined ? undefined : needsOf(actor, order, undefined, undefined);
  const named = (name: string | undefined) => (name === undefined ? undefined : keys.find((key) => key.name === name));
  const usable = keys.filter(({ expendable }) => expendable === undefined);
  const says = (key: ProfileKey) => (needs === undefined ? undefined : mayRun(needs, holdingOf(key, grants)));
  const byFacts = (may: boolean) => usable.find((key) => says(key) === may);
  const byRole = (role: ProfileKey['role'], other: string | undefined) =>
    usable.find((key) => key.role === role && key.name !== other && says(key) !== (role !== 'entitled'));
  const restricted = named(actor.restricted) ?? byFacts(false) ?? byRole('restricted', actor.entitled);
  const entitled = named(actor.entitled) ?? byFacts(true) ?? byRole('entitled', restricted?.name);
  return { entitled, restricted };
}

function resolveAdmin(admin: WrittenAdmin, needed: readonly string[]): ProfileAdmin {
  const path = admin.path ?? '/v1/admin/keys';
  const one = `${path.replace(/\/$/, '')}/{id}`;
  const operation = (written: WrittenOperation | undefined, method: string, usual: string) =>
    written === undefined ? undefined : resolveOperation(written, method, usual, path);
  const { create } = admin;
  const choosesFeatures = JSON.stringify(create ?? null).includes('{features}');
  return present({
    path,
    header: admin.header ?? 'X-Admin-Token',
    token: admin.token === undefined ? undefined : new Secret('admin-token', admin.token),
    create: operation(create, 'POST', path),
    list: operation(admin.list, 'GET', path),
    read: operation(admin.read, 'GET', one),
    revoke: operation(admin.revoke, 'DELETE', one),
    change: operation(admin.change, 'PATCH', one),
    at: present({ key: create?.key ?? '/key', id: create?.id, tier: create?.show_tier, hash: create?.hash }),
    tier: admin.tier,
    features: admin.features ?? needed,
    featuresUnknown: (admin.features === undefined && !choosesFeatures) || undefined,
    environments: { live: admin.environments?.live ?? 'live', test: admin.environments?.test ?? 'test' },
  }) as ProfileAdmin;
}

const namesRecord = (part: unknown): boolean => JSON.stringify(part ?? null).includes('{id}');

/** A record that is named in the query or the body is not named in the path too. */
function resolveOperation(
  written: WrittenOperation,
  method: string,
  usual: string,
  collection: string,
): ProfileOperation {
  const { body, success, query } = written;
  return {
    method: written.method ?? method,
    path: withQuery(written.path ?? (namesRecord(query) || namesRecord(body) ? collection : usual), query),
    ...(body === undefined ? {} : { body }),
    ...(success === undefined ? {} : { success: Array.isArray(success) ? success : [success] }),
  };
}

/** The query becomes part of the path; {id}, {tier} and the others are filled in later. */
function withQuery(path: string, query: WrittenOperation['query']): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(/%7B(id|tier|environment|features)%7D/g, (_, name: string) => `{${name}}`);
  const text = Object.entries(query ?? {})
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

function resolveDisabled(disabled: NonNullable<WrittenProfile['disabled']>): NonNullable<Profile['disabled']> {
  return {
    ...place(disabled.address),
    ...(disabled.key === undefined ? {} : { key: new Secret('disabled-key', disabled.key) }),
  };
}

function resolveSources(sources: WrittenProfile['sources']): Profile['sources'] {
  return {
    listen: sources?.listen ?? '127.0.0.1',
    port: sources?.port ?? 0,
    ...(sources?.advertise === undefined ? {} : { advertise: sources.advertise }),
    body: sources?.body ?? '[{"token":"{{token}}"}]',
    contentType: sources?.content_type ?? 'application/json',
  };
}

/** Bounds that were not given follow those that were, so that a single line never contradicts a default. */
function resolveBounds(bounds: WrittenProfile['bounds']): Profile['bounds'] {
  const ms = (value: string | number | undefined, usual: number): number =>
    value === undefined ? usual : (duration(value) ?? usual);
  const timeoutMs = ms(bounds?.timeout, 10_000);
  return {
    timeoutMs,
    deadlineMs: ms(bounds?.deadline, Math.max(60_000, 2 * timeoutMs)),
    patienceMs: ms(bounds?.patience, 30_000),
    maxWaitMs: ms(bounds?.max_wait, 120_000),
    // Nobody is held to a bound that was not stated; it is only how long a slow run is waited for.
    upstreamMs: ms(bounds?.upstream, 30_000),
    upstreamStated: bounds?.upstream !== undefined,
    revocationMs: ms(bounds?.revocation, 5_000),
    maxBodyBytes: byteCount(bounds?.max_body ?? '8MB') ?? 8_000_000,
  };
}
