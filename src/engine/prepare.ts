/** Before the plan: is the target there, what schemas does it show, can it issue a key. Everything is recorded. */
import { holdingOf, mayRun } from '../model/access.ts';
import type { Exchange } from '../model/exchange.ts';
import { jsonOf, succeeded } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { kindOfKey, Secret } from '../model/secret.ts';
import type { Actor, ActorRole, AdminOperation, AdminSubject, Chosen, Key, Subject } from '../model/subject.ts';
import type { Profile, ProfileActor, ProfileKey, ProfileOperation } from '../profile/profile.ts';
import { isLoopback } from '../profile/scalars.ts';
import { hashOf, seeded, shuffled } from '../random.ts';
import { templatesIn } from '../sources/templates.ts';
import type { ActorInputs } from './inputs.ts';
import type { Sending } from './recorder.ts';
import { asClient, type Defaults, readRequest, verifyRequest } from './requests.ts';
import type { Session } from './session.ts';

const operations: readonly AdminOperation[] = ['create', 'list', 'read', 'revoke', 'change'];

/** What the profile alone says, before anything was asked. */
export function subjectOf(profile: Profile, control: Subject['control'], probing = false): Subject {
  const keys = profile.keys.filter(({ expendable }) => expendable === undefined).map((key) => keyOf(key, profile));
  const { admin, disabled } = profile;
  return {
    keys,
    tierOrder: profile.tierOrder,
    actors: actorsOf(profile, keys, new Map()),
    ...(admin === undefined ? {} : { admin: adminOf(admin, keys, profile) }),
    ...(disabled === undefined ? {} : { disabled: disabledOf(disabled, keys) }),
    bounds: {
      timeoutMs: profile.bounds.timeoutMs,
      upstreamMs: profile.bounds.upstreamMs,
      upstreamStated: profile.bounds.upstreamStated,
      revocationMs: profile.bounds.revocationMs,
    },
    limits: limitsOf(profile, probing),
    control,
  };
}

const limitsOf = ({ limits, origin }: Profile, confirmed: boolean): Subject['limits'] => ({
  wanted: limits.budgeted,
  allowed: isLoopback(origin) || (limits.allow && confirmed),
  maxSeconds: limits.maxSeconds,
  ...limits.declared,
});

const keyOf = (key: ProfileKey, { grants }: Profile): Key => ({
  name: key.name,
  role: key.role,
  kind: kindOfKey(Secret.reveal(key.secret)) ?? 'live',
  secret: key.secret,
  ...holdingOf(key, grants),
});

const chosen: readonly Chosen[] = ['tier', 'features', 'environment'];

/** What the profile's own request lets a rule choose. */
function chosenIn(operation: ProfileOperation | undefined): Chosen[] {
  const text = JSON.stringify([operation?.path, operation?.body]);
  return chosen.filter((name) => text.includes(`{${name}}`));
}

function expendableOf(profile: Profile): Pick<AdminSubject, 'expendable'> {
  const spare = profile.keys.find(({ expendable }) => expendable?.id !== undefined);
  if (spare?.expendable?.id === undefined) return {};
  return { expendable: { key: keyOf(spare, profile), id: new Secret(`${spare.name}-id`, spare.expendable.id) } };
}

const adminOf = (admin: NonNullable<Profile['admin']>, keys: readonly Key[], profile: Profile): AdminSubject => ({
  chooses: { create: chosenIn(admin.create), change: chosenIn(admin.change) },
  features: admin.features,
  ...(admin.featuresUnknown ? { featuresUnknown: true as const } : {}),
  tiers: profile.tierOrder,
  grants: profile.grants,
  ...expendableOf(profile),
  ...tierOfNewKeys(admin, keys),
  ...(admin.token === undefined ? {} : { token: admin.token }),
  operations: operations.filter((name) => admin[name] !== undefined),
  showsHash: admin.at.hash !== undefined,
  collection: admin.path,
  keyAt: admin.at.key,
  ...(admin.at.tier === undefined ? {} : { tierAt: admin.at.tier }),
});

/** If omitted: as any key that may run what others run. */
function tierOfNewKeys(
  { tier: stated }: NonNullable<Profile['admin']>,
  keys: readonly Key[],
): Pick<AdminSubject, 'tier'> {
  const tier = stated ?? keys.find(({ role }) => role === 'entitled')?.tier;
  return tier === undefined ? {} : { tier };
}

function disabledOf(
  { key: own, strange }: NonNullable<Profile['disabled']>,
  keys: readonly Key[],
): { readonly key?: Key } {
  if (strange) return {};
  if (own !== undefined) return { key: { name: 'disabled-key', role: 'entitled', kind: 'live', secret: own } };
  const main = keys.find((key) => key.role === 'entitled');
  return main === undefined ? {} : { key: main };
}

type Found = ReadonlyMap<string, ActorInputs>;

/** Actors by role. A profile without a clean actor names one in another role: an echo works too. */
function actorsOf(profile: Profile, keys: readonly Key[], found: Found): Subject['actors'] {
  const entitled = keys.find((key) => key.role === 'entitled');
  const limited = keys.find((key) => key.role === 'restricted');
  const of = (role: ActorRole): Actor[] =>
    profile.actors
      .filter((actor) => actor.role === role)
      .map((actor) => {
        const more = found.get(identity(actor));
        const input = actor.input ?? more?.input;
        const { echoes, sources } = templatesIn(input);
        // Facts go before roles: a key that they bar is not the entitled one, and the other way round.
        const byRole = (key: Key | undefined, may: boolean): Key | undefined =>
          key !== undefined && actor.needs !== undefined && mayRun(actor.needs, key) === !may ? undefined : key;
        const may = keys.find((key) => key.name === actor.entitled) ?? byRole(entitled, true);
        const mayNot = keys.find((key) => key.name === actor.restricted) ?? byRole(limited, false);
        return {
          name: actor.name,
          role,
          mutants: more?.mutants ?? [],
          admitted: more?.admitted ?? [],
          sources,
          echoes,
          ...(input === undefined ? {} : { input }),
          ...(more?.schema === undefined ? {} : { schema: more.schema }),
          ...(more?.schemaAt === undefined ? {} : { schemaAt: more.schemaAt }),
          ...(more?.variants === undefined ? {} : { variants: more.variants }),
          ...(more?.texts === undefined ? {} : { texts: more.texts }),
          ...(more?.manySources === undefined ? {} : { manySources: more.manySources }),
          ...(more?.sourceLists === undefined ? {} : { sourceLists: more.sourceLists }),
          ...(more?.schemaRefuses === undefined ? {} : { schemaRefuses: more.schemaRefuses }),
          ...(more?.foreignSchemas === undefined ? {} : { foreignSchemas: more.foreignSchemas }),
          ...(actor.needs === undefined ? {} : { needs: actor.needs }),
          ...(role === 'restricted' && may !== undefined ? { entitledKey: may } : {}),
          ...(role === 'restricted' && mayNot !== undefined ? { restrictedKey: mayNot } : {}),
        };
      });
  const [clean, echo, sources] = [of('clean'), of('echo'), of('sources')];
  const working = distinctByName([...clean, ...echo]).filter((actor) => actor.input !== undefined);
  return {
    clean: working.length > 0 ? working : sources.filter((actor) => actor.input !== undefined),
    echo: echo.filter((actor) => actor.echoes),
    sources: sources.filter((actor) => actor.sources > 0),
    restricted: of('restricted').filter((actor) => actor.input !== undefined),
    crashing: of('crashing').filter((actor) => actor.input !== undefined),
    empty: of('empty').filter((actor) => actor.input !== undefined),
  };
}

const identity = (actor: ProfileActor): string => `${actor.role} ${actor.name}`;

const distinctByName = (actors: readonly Actor[]): Actor[] =>
  [...new Map(actors.toReversed().map((actor) => [actor.name, actor])).values()].toReversed();

export function setup(session: Session, key?: Key): Defaults {
  return {
    purpose: 'setup',
    instance: 'main',
    line: 'setup',
    ...asClient(session, 'setup'),
    ...(key === undefined ? {} : { key }),
  };
}

/** Not always the same one: nobody should know a check by how it begins. */
function opening(session: Session, key: Key | undefined): Sending {
  const defaults = setup(session, key);
  const [actor] = session.profile.actors;
  const choice = Math.floor(seeded(session.seed ^ hashOf('opening'))() * 3);
  if (choice === 0 && actor !== undefined)
    return readRequest(session, { actor: encodeURIComponent(actor.name) }, defaults);
  return verifyRequest(session, choice === 1 ? { key: null } : {}, defaults);
}

/** One question to learn whether anybody is there. Any answer will do. */
export async function knock(session: Session): Promise<Exchange> {
  const key = session.subject.keys.find((each) => each.role === 'entitled');
  const began = session.clock.now();
  const stalled = (): boolean => (session.stalls?.longestSince(began) ?? 0) > 0;
  const sending = opening(session, key);
  let { exchange } = await session.recorder.send(sending);
  const isWorthAnother = (): boolean =>
    exchange.failure?.kind.startsWith('reset') || (exchange.failure !== undefined && stalled());
  for (let again = 0; again < 2 && isWorthAnother(); again += 1) {
    ({ exchange } = await session.recorder.send(sending));
  }
  return exchange;
}

/** Reads each actor's schema, and derives from it what can be sent: valid inputs and single-fault ones. */
export async function findInputs(session: Session): Promise<Found> {
  const { profile, subject } = session;
  const random = seeded(session.seed ^ hashOf('reads'));
  const wanting = shuffled(
    profile.actors.filter((actor) => actor.role !== 'crashing'),
    random,
  );
  if (wanting.length === 0) return new Map();
  const inputs = await import('./inputs.ts');
  const entitled = subject.keys.find((key) => key.role === 'entitled');
  const found = new Map<string, ActorInputs>();
  const answers = new Map<string, Json | undefined>();
  for (const actor of wanting) {
    const own = subject.keys.find((key) => key.name === actor.entitled) ?? entitled;
    let answer = answers.get(actor.name);
    if (actor.schema === undefined && !answers.has(actor.name) && own !== undefined) {
      const { exchange } = await session.recorder.send(
        readRequest(session, { actor: encodeURIComponent(actor.name) }, setup(session, own)),
      );
      const body = jsonOf(exchange);
      answer = succeeded(exchange) && body.ok ? body.value : undefined;
      answers.set(actor.name, answer);
    }
    found.set(identity(actor), inputs.inputsFor(actor, answer, seeded(session.seed ^ hashOf(identity(actor)))));
  }
  const named = wanting.map((actor) => ({ name: actor.name, inputs: found.get(identity(actor))! }));
  return new Map(
    named.map(({ name, inputs: own }, at): [string, ActorInputs] => [
      identity(wanting[at]!),
      { ...own, foreignSchemas: inputs.foreignTo({ name, inputs: own }, named) },
    ]),
  );
}

export const prepared = (session: Session, found: Found, issued: Key | undefined): Subject => {
  const keys = issued === undefined ? session.subject.keys : [...session.subject.keys, issued];
  return { ...session.subject, keys, actors: actorsOf(session.profile, session.subject.keys, found) };
};
