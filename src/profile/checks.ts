/**
 * What one line of a profile demands of another. Looks at values whose kinds may still be wrong (shape.ts reports those), so
 * that everything is reported at once: whatever is not of the kind that a check needs is passed over.
 */
import { isObject, type Json } from '../model/json.ts';
import { kindOfKey } from '../model/secret.ts';
import { actorRoles } from '../model/subject.ts';
import { checkLimits } from './checks-limits.ts';
import { checkLoad } from './checks-load.ts';
import { nearest, suggest } from './nearest.ts';
import { type Path, type Problems, showPath } from './problems.ts';
import { address, duration, isHeaderValue, isToken } from './scalars.ts';
import { secretLines } from './secrets.ts';
import { templateNames, templatesIn } from './templates.ts';

type Members = { readonly [key: string]: Json };

export const members = (value: Json | undefined): Members => (isObject(value) ? value : {});

export function check(profile: Json, problems: Problems): void {
  const all = members(profile);
  checkAddresses(all, problems);
  checkKeys(all, problems);
  checkTiers(all, problems);
  const named = new Set<string>();
  for (const { actor, path, role } of actorEntries(all.actors)) {
    checkActor(actor, path, role, all, problems);
    if (typeof actor.name !== 'string') continue;
    const name = `${role} ${actor.name}`;
    if (named.has(name)) problems.add([...path, 'name'], 'is in this role already: one input for each actor and role');
    named.add(name);
  }
  checkHeaders(all, problems);
  checkBounds(members(all.bounds), problems);
  checkLimits(all, problems);
  checkLoad(all, problems);
  const { body } = members(all.sources);
  if (typeof body === 'string' && !body.includes('{{token}}'))
    problems.add(['sources', 'body'], 'must contain {{token}}, which shows to which request the items belong');
}

export function* actorEntries(
  actors: Json | undefined,
): Generator<{ readonly actor: Members; readonly path: Path; readonly role: string }> {
  for (const role of actorRoles) {
    const entry = members(actors)[role];
    if (Array.isArray(entry)) {
      for (const [index, actor] of entry.entries())
        yield { actor: members(actor), path: ['actors', role, index], role };
    } else if (isObject(entry)) yield { actor: entry, path: ['actors', role], role };
  }
}

function checkAddresses(all: Members, problems: Problems): void {
  const read = (value: Json | undefined, path: Path) => {
    if (typeof value !== 'string') return undefined;
    const result = address(value);
    if (!('wrong' in result)) return result;
    // Without the value: it may hold a password.
    problems.add(path, result.wrong);
    return undefined;
  };
  const main = read(all.address, ['address']);
  const disabled = read(members(all.disabled).address, ['disabled', 'address']);
  if (all.address === undefined && all.target === undefined && all.client === undefined)
    problems.add(
      ['address'],
      '`address` is missing: the base address of the service, here or on the command line; or `target`, to start it',
      'key',
    );
  if (
    main !== undefined &&
    disabled !== undefined &&
    main.origin === disabled.origin &&
    main.basePath === disabled.basePath
  )
    problems.add(['disabled', 'address'], 'is the address of the main instance: one instance cannot be both');
}

function checkKeys(all: Members, problems: Problems): void {
  if (Object.hasOwn(members(all.keys), '__proto__'))
    problems.add(['keys', '__proto__'], 'is not a valid name of a key', 'key');
  const owners = new Map<string, string>();
  for (const { path, name, value } of secretLines(all)) {
    if (problems.isSettled(path)) continue;
    if (name !== 'admin-token' && kindOfKey(value) === undefined)
      problems.add(path, 'begins with neither vk_live_ nor vk_test_, the only prefixes of the specification');
    // The second instance may well know a key of the first.
    if (name === 'disabled-key') continue;
    const owner = owners.get(value);
    if (owner !== undefined) problems.add(path, `has the same value as ${owner}`);
    else owners.set(value, showPath(path));
  }
}

function checkTiers(all: Members, problems: Problems): void {
  const tiers = Array.isArray(all.tiers) ? all.tiers.filter((tier) => typeof tier === 'string') : undefined;
  if (tiers === undefined) return;
  for (const [index, tier] of tiers.entries())
    if (tiers.indexOf(tier) < index) problems.add(['tiers', index], `\`${tier}\` is here twice`);
  const known = (tier: Json | undefined, path: Path): void => {
    if (typeof tier === 'string' && !tiers.includes(tier))
      problems.add(path, `\`${tier}\` is not one of \`tiers\`; ${suggest(tier, tiers)}`);
  };
  for (const [name, key] of Object.entries(members(all.keys))) known(members(key).tier, ['keys', name, 'tier']);
  known(members(all.admin).tier, ['admin', 'tier']);
  for (const name of Object.keys(members(all.grants))) known(name, ['grants', name]);
  for (const { actor, path } of actorEntries(all.actors)) {
    known(actor.needs, [...path, 'needs']);
    known(members(actor.needs).tier, [...path, 'needs', 'tier']);
  }
  const { documented, tiers: former } = members(all.limits);
  for (const name of Object.keys(members(members(documented).tiers)))
    known(name, ['limits', 'documented', 'tiers', name]);
  for (const name of Object.keys(members(former))) known(name, ['limits', 'tiers', name]);
}

function checkActor(actor: Members, path: Path, role: string, all: Members, problems: Problems): void {
  if (actor.schema !== undefined && actor.schema_at !== undefined)
    problems.add([...path, 'schema_at'], 'the schema is given as well: remove one of the two', 'key');
  checkTemplates(actor, path, role, problems);
  if (role === 'restricted') checkAccess(actor, path, all, problems);
}

function checkTemplates(actor: Members, path: Path, role: string, problems: Problems): void {
  const names = new Set<string>();
  for (const { name, path: within } of templatesIn(actor.input)) {
    names.add(name);
    if ((templateNames as readonly string[]).includes(name)) continue;
    const near = nearest(name, templateNames);
    const advice =
      near === undefined
        ? `known: ${templateNames.join(', ')}; to send these braces, double them: {{{{${name}}}}}`
        : `write {{${near}}}`;
    problems.add([...path, 'input', ...within], `{{${name}}} is not a template; ${advice}`);
  }
  const demanded = { echo: 'nonce', sources: 'source.ok' }[role];
  if (demanded === undefined || names.has(demanded)) return;
  const why = role === 'echo' ? 'it shows to which request the items belong' : 'it is the address that the actor reads';
  problems.add(
    actor.input === undefined ? path : [...path, 'input'],
    `the input of ${role === 'echo' ? 'an echo' : 'a sources'} actor must contain {{${demanded}}}: ${why}`,
    'key',
  );
}

function checkAccess(actor: Members, path: Path, all: Members, problems: Problems): void {
  const keys = Object.keys(members(all.keys));
  for (const field of ['entitled', 'restricted']) {
    const name = actor[field];
    if (typeof name !== 'string') continue;
    if (!keys.includes(name)) problems.add([...path, field], `there is no key \`${name}\`; ${suggest(name, keys)}`);
  }
  const { entitled, restricted } = actor;
  if (typeof entitled === 'string' && entitled === restricted)
    problems.add([...path, 'restricted'], 'is the entitled key too: one key cannot be both');
  const role = typeof entitled === 'string' ? members(members(all.keys)[entitled]).role : undefined;
  if (role === 'restricted') problems.add([...path, 'entitled'], `the key \`${entitled}\` has the role restricted`);
}

/** The harness's own: a rule is about these, or the transport writes them. */
const reserved = [
  'x-api-key',
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
];

function checkHeaders(all: Members, problems: Problems): void {
  const header = members(all.admin).header;
  const ours = [...reserved, typeof header === 'string' ? header.toLowerCase() : 'x-admin-token'];
  if (typeof header === 'string' && reserved.includes(header.toLowerCase()))
    problems.add(['admin', 'header'], 'is a header that Touchstone uses for another purpose');
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(members(all.headers))) {
    const path = ['headers', name];
    const lower = name.toLowerCase();
    if (!isToken(name) || name === '__proto__') problems.add(path, 'is not the name of a header', 'key');
    else if (ours.includes(lower)) problems.add(path, 'is written by Touchstone itself', 'key');
    else if (seen.has(lower)) problems.add(path, 'is here twice; the case of a name does not matter', 'key');
    seen.add(lower);
    if (typeof value === 'string' && (!isHeaderValue(value) || value.trim() !== value))
      problems.add(path, 'the value contains characters that a header cannot carry');
  }
}

function checkBounds(bounds: Members, problems: Problems): void {
  const ms = (name: string): number | undefined => {
    const value = bounds[name];
    return typeof value === 'string' || typeof value === 'number' ? duration(value) : undefined;
  };
  const timeout = ms('timeout') ?? 10_000;
  for (const name of ['timeout', 'deadline', 'upstream'])
    if (ms(name) === 0) problems.add(['bounds', name], 'must be greater than zero');
  if ((ms('deadline') ?? timeout) < timeout)
    problems.add(['bounds', 'deadline'], 'is shorter than `timeout`: a rule needs at least one exchange');
}
