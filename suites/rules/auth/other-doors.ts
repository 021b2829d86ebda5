/** The same data by another door: a guard that compares paths or methods letter by letter is in front of one door alone. */
import { createHash } from 'node:crypto';
import {
  type Ask,
  type Case,
  type Exchange,
  headerValues,
  Inapplicable,
  isObject,
  type Json,
  jsonOf,
  member,
  type RawRequest,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, fromAPage, fromThisMachine } from '../../language/asking.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { plainVerify } from '../../language/twins.ts';

interface Door extends Case {
  /** The route as the specification writes it. */
  readonly plain: RawRequest;
  readonly other: RawRequest;
  /** What opens it. */
  readonly by: 'key' | 'token';
  /** No spelling of the route, but something that the specification does not show: what it opens is a warning. */
  readonly aside?: true;
  /** Sent with the cookie that the service sets at the plain route. */
  readonly cookie?: true;
}

type Unlocked = Omit<Door, 'by'>;

const get = (target: string): RawRequest => ({ method: 'GET', target });

const doors = (subject: Subject): readonly Door[] => [
  ...dataDoors(subject).map((door): Door => ({ ...door, by: 'key' })),
  ...keyListDoors(subject).map((door): Door => ({ ...door, by: 'token' })),
];

/** Some frameworks take the method from this header: a guard and the handler may then see different ones. */
const overriding = (name: string, plain: RawRequest): readonly Unlocked[] =>
  ['GET', 'POST'].map((method) => ({
    name: `${name} that X-HTTP-Method-Override calls ${method}`,
    plain,
    other: { ...plain, headers: [['X-HTTP-Method-Override', method]] },
  }));

/** Who trusts its own machine believes what a proxy says of it. */
const fromHere = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} that headers say to come from this machine`,
  plain,
  other: { ...plain, headers: fromThisMachine },
});

const fromItsPage = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} that headers say to come from a page`,
  plain,
  other: { ...plain, headers: fromAPage },
});

/** Browsers ask so before they send a key, and nobody else has to know what a preflight is. */
const asPreflight = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} by OPTIONS`,
  plain,
  other: {
    ...plain,
    method: 'OPTIONS',
    headers: [...fromAPage, ['Access-Control-Request-Method', plain.method]],
  },
  aside: true,
});

/** Which of two keys counts is left open; where neither is one, the answer is not. */
const withTwoWrong = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} with two wrong keys`,
  plain,
  other: { ...plain, headers: ['one', 'other'].map((each) => ['X-API-Key', unknownKey(`${each} ${plain.target}`)]) },
});

/** In parts, so that nobody who reads the record takes it for a key that leaked. */
const unknownKey = (text: string): string =>
  `vk_live_${createHash('sha256').update(text).digest('hex').slice(0, 24).match(/.{8}/g)!.join('.')}`;

/** What developers switch on for themselves stays on for everybody. */
const switchedOn = (name: string, plain: RawRequest): readonly Unlocked[] =>
  ['1', 'true'].map((on) => ({
    name: `${name} with debug=${on} in its query`,
    plain,
    other: {
      ...plain,
      target: `${plain.target}?${['debug', 'test', 'dev', 'admin', 'internal'].join(`=${on}&`)}=${on}`,
    },
  }));

/** Behind the version. */
const inCase = (target: string, pattern: RegExp): string =>
  target.slice(0, 2) + target.slice(2).replaceAll(pattern, (letters) => letters.toUpperCase());

/** Where a list is read, nothing is changed by looking. */
function keyListDoors({ admin }: Subject): readonly Unlocked[] {
  if (admin?.token === undefined || !admin.operations.includes('list')) return [];
  const plain = get(admin.collection);
  return [
    { name: 'the list of keys by HEAD', plain, other: { ...plain, method: 'HEAD' }, aside: true },
    { name: 'the list of keys with a slash behind', plain, other: get(`${plain.target}/`) },
    { name: 'the list of keys with a query', plain, other: get(`${plain.target}?page=1`) },
    { name: 'the list of keys with a doubled slash', plain, other: get(plain.target.replace(/(.)\//, '$1//')) },
    { name: 'the list of keys with capitals in its path', plain, other: get(inCase(plain.target, /\/[a-z]/g)) },
    { name: 'the list of keys in capitals', plain, other: get(inCase(plain.target, /[a-z]+/g)) },
    { name: 'the list of keys one step up', plain, other: get(plain.target.replace(/\/[^/]*$/, '')), aside: true },
    ...overriding('the list of keys', plain),
    fromHere('the list of keys', plain),
    { name: 'the list of keys with a cookie', plain, other: plain, aside: true, cookie: true },
  ];
}

function dataDoors(subject: Subject): readonly Unlocked[] {
  const verify = get('/v1/auth/verify');
  const all: readonly Unlocked[] = [
    { name: 'verify with a slash behind', plain: verify, other: get('/v1/auth/verify/') },
    { name: 'verify by HEAD', plain: verify, other: { ...verify, method: 'HEAD' }, aside: true },
    fromHere('verify', verify),
    fromItsPage('verify', verify),
    asPreflight('verify', verify),
    { name: 'verify with an ending', plain: verify, other: get('/v1/auth/verify.json'), aside: true },
  ];
  const actor = subject.actors.clean.find(({ sources }) => sources === 0) ?? subject.actors.clean[0];
  if (actor === undefined) return all;
  const name = encodeURIComponent(actor.name);
  const path = `/v1/actors/${name}`;
  const read = get(path);
  const body = JSON.stringify(actor.input ?? {});
  const run: RawRequest = { method: 'POST', target: `${path}/run-sync-get-dataset-items`, body };
  const byPost = { ...read, method: 'POST', headers: [['X-HTTP-Method-Override', 'GET']] } as const;
  return [
    ...all,
    { name: 'a read with a slash behind', plain: read, other: get(`${path}/`) },
    { name: 'a read with a doubled slash', plain: read, other: get(`/v1//actors/${name}`) },
    { name: 'a read in capitals', plain: read, other: get(path.toUpperCase()) },
    { name: 'a read with capitals in its path', plain: read, other: get(`/v1/Actors/${name}`) },
    { name: 'a read with an escape in its path', plain: read, other: get(`/v1/%61ctors/${name}`) },
    { name: 'a read with a query', plain: read, other: get(`${path}?page=1`) },
    ...switchedOn('a read', read),
    ...switchedOn('a run', run),
    { name: 'verify with a cookie', plain: verify, other: verify, aside: true, cookie: true },
    { name: 'a read with a parameter', plain: read, other: get(`${path};page=1`) },
    { name: 'a read with dots in its path', plain: read, other: get(`/v1/actors/x/../${name}`) },
    { name: 'a read by HEAD', plain: read, other: { ...read, method: 'HEAD' }, aside: true },
    { name: 'a read with an ending', plain: read, other: get(`${path}.json`), aside: true },
    { name: 'a read with a cookie', plain: read, other: read, aside: true, cookie: true },
    { name: 'a read by POST that X-HTTP-Method-Override calls GET', plain: read, other: byPost, aside: true },
    ...overriding('a read', read),
    { name: 'a run with a slash behind', plain: run, other: { ...run, target: `${run.target}/` } },
    { name: 'a run with a query', plain: run, other: { ...run, target: `${run.target}?page=1` } },
    { name: 'a run at the name of the actor', plain: run, other: { ...run, target: path }, aside: true },
    { name: 'a run at run-sync', plain: run, other: { ...run, target: `${path}/run-sync` }, aside: true },
    ...overriding('a run', run),
    ...[fromHere, fromItsPage, asPreflight].flatMap((way) => [way('a read', read), way('a run', run)]),
    withTwoWrong('a read', read),
    withTwoWrong('a run', run),
  ];
}

/** The names of the members, of a list those of its first entry. */
const namesOf = (value: Json | undefined): string | undefined => {
  if (Array.isArray(value)) return value.length === 0 ? undefined : `[${namesOf(value[0]) ?? ''}]`;
  return isObject(value) ? Object.keys(value).sort().join() : undefined;
};

const namesIn = (exchange: Exchange): string | undefined => {
  const body = jsonOf(exchange);
  return body.ok ? namesOf(body.value) : undefined;
};

/** The credential of the door, or none at all. */
function sender({ send, admin }: Pick<Ask<unknown>, 'send' | 'admin'>, by: Door['by']) {
  return (request: RawRequest, isKeyless = false): Promise<Exchange> =>
    by === 'key'
      ? send({ ...request, ...(isKeyless && { key: null }) })
      : admin.send({ ...request, ...(isKeyless && { token: null }) });
}

/** The first that a client would send back. */
function cookieOf(exchange: Exchange): string {
  const pairs = headerValues(exchange, 'set-cookie').map((value) => value.split(';', 1)[0]?.trim() ?? '');
  const cookie = pairs.find((pair) => /^[^=\s]+=[\x21-\x7e]+$/.test(pair));
  if (cookie === undefined) throw new Inapplicable('the service sets no cookie');
  return cookie;
}

/** Not merely a page of any kind: what a caller with a key gets at the plain route. */
function isShown(without: Exchange, plain: Exchange): boolean {
  if (without.request.method === 'HEAD') return true;
  const valid = member(without, 'valid');
  // At verify it is lawful, if odd, to report an invalid key by the field.
  if (member(plain, 'valid') === true && typeof valid === 'boolean') return valid;
  return namesIn(without) !== undefined && namesIn(without) === namesIn(plain);
}

export const otherDoors = rule({
  id: 'auth.other-doors',
  clause: clauses.keyAtEveryDoor,
  needs: ['key'],
  without: everything,
  // Who answers nobody has no doors that could be shut.
  twin: plainVerify,
  cases: doors,
  about: ({ case: { by, aside = false } }) => ({ by, aside }),
  async *ask(ask) {
    const { plain, other, by, cookie } = ask.case;
    const send = sender(ask, by);
    const headers = cookie ? [['Cookie', cookieOf(await send(plain))] as const] : [];
    const without = await send({ ...other, headers: [...(other.headers ?? []), ...headers] }, true);
    yield { without };
    // Most doors are shut, and nothing else is to be known of them. One that leads elsewhere may be no door of a service at all.
    const isShut = statusFits(without, '4xx');
    yield { guarded: isShut ? null : await send(plain, true) };
    yield { plain: isShut ? null : await send(plain) };
  },
  given: ({ guarded, plain }, { by }) => [
    inapplicableIf(
      !!guarded && !statusFits(guarded, by === 'key' ? 401 : '4xx'),
      `as the specification writes it, it is not refused without a ${by} either; other rules report that`,
    ),
    succeeds(plain, `the same with a ${by}`),
  ],
  judge: ({ without, plain }, { by, aside }) =>
    plain !== null && succeeded(without) && isShown(without, plain)
      ? [(aside ? warning : violation)(without, `a refusal without a ${by}, as for the plain path`, whatCame(without))]
      : [],
  fix: 'Check the key and the admin token where the request is handled, after the path was normalised, or serve no other spelling.',
});
