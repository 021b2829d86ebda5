/** What a rule may need of the profile, whether it is there, and the lines that would give it. */
import type { Capability } from '../model/rule.ts';
import { otherActors, type Subject } from '../model/subject.ts';

interface Lack {
  readonly because: string;
  /** A piece of profile to add. */
  readonly add: string;
}

interface Entry extends Lack {
  readonly has: (subject: Subject) => boolean;
}

const entitled = (subject: Subject): number =>
  subject.keys.filter((key) => key.role === 'entitled' && key.kind !== 'issued').length;

const declaredTiers = (subject: Subject): number =>
  new Set(subject.keys.filter((key) => key.kind !== 'issued' && key.tier !== undefined).map((key) => key.tier)).size;

/** The run creates keys only where it can remove them again. */
export const makesKeys = ({ admin }: Subject): boolean =>
  admin?.token !== undefined && admin.operations.includes('create') && admin.operations.includes('revoke');

const operation = (name: 'create' | 'list' | 'read' | 'revoke' | 'change', add: string): Entry => ({
  has: (subject) => subject.admin?.token !== undefined && subject.admin.operations.includes(name),
  because: `the profile does not describe how to ${name} a key`,
  add: `admin: { token: "\${env:ADMIN_TOKEN}", ${add} }`,
});

const role = (name: 'clean' | 'echo' | 'sources' | 'crashing' | 'empty', what: string, add: string): Entry => ({
  has: (subject) => subject.actors[name].length > 0,
  because: `the profile names no actor ${what}`,
  add: `actors: { ${name}: ${add} }`,
});

const restricted = (subject: Subject) =>
  subject.actors.restricted.filter((actor) => actor.restrictedKey !== undefined && actor.entitledKey !== undefined);

const table: Record<Capability, Entry> = {
  key: {
    has: (subject) => entitled(subject) > 0,
    because: 'there is no API key',
    add: 'keys: { main: { value: "${env:API_KEY}" } }, or TOUCHSTONE_API_KEY in the environment where there is no profile',
  },
  'second-key': {
    has: (subject) => entitled(subject) > 1 || makesKeys(subject),
    because: 'there is only one API key, and no admin interface that creates and revokes others',
    add: 'keys: { other: { value: "${env:OTHER_KEY}" } }',
  },
  'declared-tier': {
    has: (subject) => declaredTiers(subject) > 0,
    because: 'no key declares its tier',
    add: 'keys: { main: { value: "${env:API_KEY}", tier: … } }',
  },
  'two-tiers': {
    has: (subject) => declaredTiers(subject) > 1,
    because: 'no two keys declare different tiers',
    add: 'keys: { other: { value: "${env:OTHER_KEY}", tier: … } }',
  },
  'other-actors': {
    has: (subject) => otherActors(subject).length > 0,
    because: 'the profile names no actor other than the clean ones',
    add: 'actors: { sources: { name: …, input: { urls: ["{{source.ok}}"] } } }',
  },
  empty: role('empty', 'whose run finds nothing', '{ name: …, input: {…} }'),
  expendable: {
    has: (subject) => subject.admin?.expendable !== undefined,
    because:
      'there is no configured key that may be revoked for good, or its `id` in the admin interface is not stated',
    add: 'keys: { spare: { value: "${env:SPARE_KEY}", expendable: true, id: … } }',
  },
  clean: role('clean', 'that works with its input', '{ name: …, input: {…} }'),
  echo: role('echo', 'that puts its input into its items', '{ name: …, input: { …: "{{nonce}}" } }'),
  sources: role('sources', 'that reads an address it is given', '{ name: …, input: { …: "{{source.ok}}" } }'),
  'two-sources': {
    has: (subject) => subject.actors.sources.some((actor) => actor.sources === 2),
    because: 'the profile names no actor that reads two addresses',
    add: 'actors: { sources: { name: …, input: { …: ["{{source.ok}}", "{{source.ok2}}"] } } }',
  },
  'many-sources': {
    has: (subject) => subject.actors.sources.some((actor) => actor.manySources !== undefined),
    because: 'the profile names no actor that reads a list of three addresses or more',
    add: 'actors: { sources: { name: …, input: { …: ["{{source.ok}}", "{{source.ok2}}"] } } }',
  },
  restricted: {
    has: (subject) => restricted(subject).length > 0,
    because: 'no actor may be run by one key but not by another',
    add: 'keys: { limited: { value: "${env:LIMITED_KEY}", role: restricted } } and actors: { restricted: { name: …, input: {…} } }',
  },
  'restricted-sources': {
    has: (subject) => restricted(subject).some((actor) => actor.sources > 0),
    because: 'no restricted actor has a source address in its input',
    // What a restricted actor and its keys need is said beside it, where they are missing too.
    add: 'actors: { restricted: { name: …, input: { …: "{{source.ok}}" } } }',
  },
  crashing: role('crashing', 'that can be made to fail inside', '{ name: …, input: {…} }'),
  'upstream-bound': {
    has: (subject) => subject.bounds.upstreamStated,
    because: 'the profile sets no bound for runs with slow sources',
    add: 'bounds: { upstream: 5s }',
  },
  'admin.token': {
    has: (subject) => subject.admin?.token !== undefined,
    because: 'there is no admin token',
    add: 'admin: { token: "${env:ADMIN_TOKEN}" }',
  },
  'admin.create': operation('create', 'create: { method: POST, body: {…}, key: /key, id: /id }'),
  'admin.list': operation('list', 'list: { method: GET }'),
  'admin.read': operation('read', 'read: { method: GET, path: "/v1/admin/keys/{id}" }'),
  'admin.revoke': operation('revoke', 'revoke: { method: DELETE, path: "/v1/admin/keys/{id}" }'),
  'admin.change': operation('change', 'change: { method: PATCH, path: "/v1/admin/keys/{id}", body: {…} }'),
  'admin.hash': {
    has: (subject) => subject.admin?.showsHash === true,
    because: 'the profile does not say where a record holds the hash of its key',
    add: 'admin: { create: { …, hash: /hash } }',
  },
  'admin.restart': {
    has: (subject) => subject.control.restart,
    because: 'a service at an address cannot be restarted from here',
    add: 'target: { command: […] }, or container, or compose: a run can restart what it started',
  },
  'admin.dump': {
    has: (subject) => subject.control.dump,
    because: 'it is unknown where the service stores its keys',
    add: 'target: { command: […], store: { path: … } }, or container, or compose',
  },
  disabled: {
    has: (subject) => subject.disabled !== undefined,
    because: 'there is no second instance without an admin token',
    add: 'disabled: { address: http://… }',
  },
  limits: {
    has: (subject) => subject.limits.wanted,
    because: 'there is no budget for probing limits',
    add: 'limits: { max_requests: 10000, max_seconds: 300 }',
  },
  'limits.allowed': {
    has: (subject) => subject.limits.allowed,
    because: 'the service is on another machine, where Touchstone probes limits only with permission',
    add: 'limits: { allow: true }, and --allow-remote-limits on the command line',
  },
  'limits.declared': {
    has: (subject) => subject.keys.some(({ tier = '' }) => Object.hasOwn(subject.limits.tiers, tier)),
    because: 'the profile documents no limit of a key',
    add: 'limits: { documented: { key: { requests: …, per: 1m } } }, or by tier: documented: { tiers: … }',
  },
};

/** The first thing that is missing, or undefined. */
export function lacking(needs: readonly Capability[], subject: Subject): Lack | undefined {
  const { lacks } = subject.control;
  const missing = needs.find((need) => lacks?.[need] !== undefined || !table[need].has(subject));
  if (missing === undefined) return undefined;
  return lacks?.[missing] ?? { because: table[missing].because, add: table[missing].add };
}
