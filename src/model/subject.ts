/** The profile as rules see it: what the implementation under test offers. Secrets stay shut. */
import type { Holding, Needs } from './access.ts';
import type { Json } from './json.ts';
import type { KeyKind, Secret } from './secret.ts';

/** What a key may do, which is what rules choose keys by. */
export type KeyRole = 'entitled' | 'restricted';

export interface Key extends Holding {
  readonly name: string;
  readonly role: KeyRole;
  /** `issued` keys are made through the admin interface by this run, and removed after it. */
  readonly kind: KeyKind | 'issued';
  readonly secret: Secret;
}

export type ActorRole = 'clean' | 'echo' | 'sources' | 'restricted' | 'crashing' | 'empty';

export const actorRoles: readonly ActorRole[] = ['clean', 'echo', 'sources', 'restricted', 'crashing', 'empty'];

/** A single-fault change of a valid input, confirmed invalid by ajv, and for this reason alone. */
export interface Mutant {
  /** `missing`, `wrong-type`, `enum`, `bound`, `length`, `pattern`, `items`, `nested-missing`, … */
  readonly fault: string;
  /** The path of the offending field, such as `filters.country`; its last segment is what `detail` must name. */
  readonly field: string;
  readonly input: Json;
  /** As wrong as the input, but valid without the blanks around a text: a service that trims takes both. */
  readonly trims?: Json;
  /** Wrong in the same way, sent after the input was refused: numbers that lie just beyond the bound. */
  readonly beyond?: readonly Json[];
}

/** A change of a valid input, confirmed as valid by the schema. */
export interface Admitted {
  readonly change:
    | 'left out'
    | 'at its upper bound'
    | 'at its lower bound'
    | 'as long as it may be'
    | 'as long as it may be, in letters beyond ASCII'
    | 'as long as it may be, in emoji'
    | 'of 4,000 characters'
    | 'of 70,000 characters'
    | 'as short as it may be'
    | 'as an empty text'
    | 'as blanks'
    | 'with both alternatives'
    | 'with an apostrophe'
    | 'given'
    | 'as another of its values'
    | 'as another of its forms'
    | 'as null'
    | 'as zero'
    | 'as false'
    | 'with a fraction'
    | 'with an exponent'
    | 'in the other case'
    | 'as an empty list'
    | 'as three times its step'
    | 'as seven times its step'
    | 'as 29 times its step'
    | 'as an empty object'
    | 'with an entry twice'
    | 'with an entry in both cases'
    | 'with as many entries as it may have'
    | 'with as many sources as it may have'
    | 'as a further field';
  readonly field: string;
  readonly input: Json;
  /** The same just inside of the bound. */
  readonly beside?: Json;
  /** As telling where it is refused: each of two alternatives alone, or the same once more, where no two runs give the same text. */
  readonly further?: readonly Json[];
  /** Nobody says that such a value makes sense: the service may have a reason of its own to refuse it. */
  readonly madeUp?: boolean;
}

/** The same input with other lists of sources, where the schema admits them. */
export interface SourceLists {
  /** The first of them alone. */
  readonly one?: Json;
  /** Two of them: as the profile has it, or with a second one. */
  readonly pair?: Json;
  readonly three?: Json;
  /** The second address stands in it twice. */
  readonly twice?: Json;
  /** As many as it may have, and no more than a score; absent where that is no more than five. */
  readonly most?: Json;
  /** More than an integer has bits. */
  readonly crowd?: Json;
  /** The two of the profile, with a value in each field that is optional. */
  readonly filled?: Json;
  /** The same with other choices in the fields that have several: of an enumeration, or yes and no. */
  readonly chosen?: readonly Json[];
}

export interface Actor {
  readonly name: string;
  readonly role: ActorRole;
  /** A valid input, templates such as `{{nonce}}` still in it; absent if none is known. */
  readonly input?: Json;
  readonly schema?: Json;
  /** Where the schema was found: `profile`, or a JSON Pointer into the read answer. */
  readonly schemaAt?: string;
  /** What the shown schema says against the input that the profile runs the actor with. */
  readonly schemaRefuses?: string;
  /** Schemas of other actors that refuse this one's input. */
  readonly foreignSchemas?: readonly { readonly of: string; readonly fingerprint: string }[];
  readonly mutants: readonly Mutant[];
  readonly admitted: readonly Admitted[];
  /** As valid as the input, and each with values of its own in every free leaf; then the same with fewer such leaves. */
  readonly variants?: readonly (readonly Json[])[];
  /** For an actor that echoes: the input with a text that careless readers of bytes spoil behind its nonce. */
  readonly texts?: readonly { readonly name: string; readonly text: string; readonly input: Json }[];
  /** The input with a list of up to five sources instead of its two, where the schema has room for them. */
  readonly manySources?: Json;
  readonly sourceLists?: SourceLists;
  /** Whether the input names one source, or at least two of them, so that one can fail. */
  readonly sources: 0 | 1 | 2;
  /** Whether the input carries `{{nonce}}`, so that items can be assigned to a request. */
  readonly echoes: boolean;
  /** For a restricted actor: what it needs, a key that may run it and one that may not. */
  readonly needs?: Needs;
  readonly entitledKey?: Key;
  readonly restrictedKey?: Key;
}

export type AdminOperation = 'create' | 'list' | 'read' | 'revoke' | 'change';

/** A placeholder of the profile's admin requests. */
export type Chosen = 'tier' | 'features' | 'environment';

export interface AdminSubject {
  readonly token?: Secret;
  /** The tier that new keys are asked for where a rule does not care. */
  readonly tier?: string;
  readonly operations: readonly AdminOperation[];
  /** What the profile lets a rule choose for a new key, and for a change of one. */
  readonly chooses: { readonly create: readonly Chosen[]; readonly change: readonly Chosen[] };
  /** The features that new keys are asked for where a rule does not care. */
  readonly features: readonly string[];
  /** No request chooses them, and the profile does not say which ones the service chooses. */
  readonly featuresUnknown?: true;
  /** From the lowest to the highest; empty where the profile lists none. */
  readonly tiers: readonly string[];
  /** What each tier grants by itself. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
  /** A configured key that may be spent, and the identifier of its record. */
  readonly expendable?: { readonly key: Key; readonly id: Secret };
  /** Whether a record shows the hash of its key. */
  readonly showsHash: boolean;
  readonly collection: string;
  /** Where the answer of create shows the key: a JSON Pointer. */
  readonly keyAt: string;
  /** The same for its tier. */
  readonly tierAt?: string;
}

/** How many calls in which time, as documented. */
export interface StatedLimit {
  readonly requests: number;
  readonly perMs: number;
  /** Calls at once after a rest, where that is another number. */
  readonly burst?: number;
}

/** After a rest. */
export const atOnceOf = ({ requests, burst = 0 }: Pick<StatedLimit, 'requests' | 'burst'>): number =>
  Math.max(requests, burst);

export interface LimitsSubject {
  /** A budget is given. */
  readonly wanted: boolean;
  /** The service is on this machine, or may be probed all the same. */
  readonly allowed: boolean;
  readonly maxSeconds: number;
  readonly tiers: Readonly<Record<string, StatedLimit>>;
  readonly address?: StatedLimit;
  readonly tolerance: number;
}

export interface Subject {
  readonly keys: readonly Key[];
  /** Tiers from the lowest to the highest, where the profile says so. */
  readonly tierOrder: readonly string[];
  readonly actors: Readonly<Record<ActorRole, readonly Actor[]>>;
  readonly admin?: AdminSubject;
  readonly disabled?: { readonly key?: Key };
  /** What may be found about limits, and what is said about them. */
  readonly limits: LimitsSubject;
  /** Milliseconds. */
  readonly bounds: {
    readonly timeoutMs: number;
    readonly upstreamMs: number;
    /** Whether the profile holds the service to `upstreamMs`, or it is only how long a slow run is waited for. */
    readonly upstreamStated: boolean;
    readonly revocationMs: number;
  };
  /** What can be done to the service itself, beside talking to it. */
  readonly control: {
    readonly restart: boolean;
    readonly dump: boolean;
    /** By capability: why it is not there, better than could be said in general. */
    readonly lacks?: Readonly<Partial<Record<string, { readonly because: string; readonly add: string }>>>;
  };
}

/** Actors besides those that simply work, each once. One that no key may run proves nothing. */
export function otherActors({ actors }: Subject): readonly Actor[] {
  const { clean, empty, echo, sources, restricted, crashing } = actors;
  const known = new Set(clean.map(({ name }) => name));
  // With what it fails, an actor is asked only where nothing else is known of it.
  const others = [...crashing, ...empty, ...echo, ...sources, ...restricted.filter(({ entitledKey }) => entitledKey)];
  return [...new Map(others.filter(({ name }) => !known.has(name)).map((actor) => [actor.name, actor])).values()];
}
