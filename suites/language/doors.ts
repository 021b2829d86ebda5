/** Other ways to the same data: of a path, a method, or what is said beside them. None of them is shown, and none opens what is shut. */
import type { Case, RawRequest, Subject } from '../../src/vocabulary.ts';
import {
  asAnother,
  asIfKnown,
  asOriginal,
  asOtherPrograms,
  asPreflight,
  asProbe,
  behind,
  dressedUp,
  fromHere,
  fromItsPage,
  ifChanged,
  otherwiseSent,
  overriding,
  repeated,
  switchedOn,
  withAnyCookie,
  withAnyCredentials,
  withTwoWrong,
} from './doors-beside.ts';

export interface Door extends Case {
  /** The route as the specification writes it. */
  readonly plain: RawRequest;
  readonly other: RawRequest;
  /** What opens it. */
  readonly by: 'key' | 'token';
  /** No spelling of the route, but something that the specification does not show: what it opens is a warning. */
  readonly aside?: true;
  /** Sent with the cookie that the service sets at the plain route. */
  readonly cookie?: true;
  /** Answered with the credential a moment ago. */
  readonly answered?: true;
  /** Sent on a connection on which a caller with that credential was served a moment ago. */
  readonly behind?: 'key' | 'token';
  /** Sent with the entity tag that the service shows at the plain route. */
  readonly tagged?: true;
}

export type Unlocked = Omit<Door, 'by'>;

const get = (target: string): RawRequest => ({ method: 'GET', target });

export const doors = (subject: Subject): readonly Door[] => [
  ...dataDoors(subject).map((door): Door => ({ ...door, by: 'key' })),
  ...keyListDoors(subject).map((door): Door => ({ ...door, by: 'token' })),
];

/** The last segment with its first letter percent-encoded. */
const escapedAtEnd = (target: string): string =>
  target.replace(/[^/](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Readers of addresses take them for slashes (WHATWG URL, section 4.4), and guards do not. */
const withBackslashes = (target: string): string => target.slice(0, 3) + target.slice(3).replaceAll('/', '\\');

const ofVersion = (target: string): string => target.replace(/^\/v/, '/V');

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
    { name: 'the list of keys with an ending', plain, other: get(`${plain.target}.json`) },
    { name: 'the list of keys with a parameter', plain, other: get(`${plain.target};page=1`) },
    { name: 'the list of keys with an escape in its path', plain, other: get(escapedAtEnd(plain.target)) },
    { name: 'the list of keys with a capital in its version', plain, other: get(ofVersion(plain.target)) },
    { name: 'the list of keys with backslashes in its path', plain, other: get(withBackslashes(plain.target)) },
    {
      name: 'the list of keys without a version',
      plain,
      other: get(plain.target.replace(/^\/v1(?=\/)/, '')),
      aside: true,
    },
    fromItsPage('the list of keys', plain),
    withAnyCredentials('the list of keys', plain),
    withAnyCookie('the list of keys', plain),
    asIfKnown('the list of keys', plain),
    ...ifChanged('the list of keys', plain),
    { name: 'the list of keys one step up', plain, other: get(plain.target.replace(/\/[^/]*$/, '')), aside: true },
    ...overriding('the list of keys', plain),
    {
      name: 'the list of keys by POST that X-HTTP-Method-Override calls GET',
      plain,
      other: { ...plain, method: 'POST', headers: [['X-HTTP-Method-Override', 'GET']] },
      aside: true,
    },
    fromHere('the list of keys', plain),
    asProbe('the list of keys', plain),
    asOriginal('the list of keys', plain),
    ...asAnother('the list of keys', plain),
    behind('the list of keys', plain, 'key'),
    ...otherwiseSent('the list of keys', plain),
    { name: 'the list of keys with a cookie', plain, other: plain, aside: true, cookie: true },
  ];
}

function dataDoors(subject: Subject): readonly Unlocked[] {
  const verify = get('/v1/auth/verify');
  const { admin } = subject;
  const behindToken = (name: string, plain: RawRequest): readonly Unlocked[] =>
    admin?.token !== undefined && admin.operations.includes('list') ? [behind(name, plain, 'token')] : [];
  const all: readonly Unlocked[] = [
    { name: 'verify with a slash behind', plain: verify, other: get('/v1/auth/verify/') },
    { name: 'verify by HEAD', plain: verify, other: { ...verify, method: 'HEAD' }, aside: true },
    { name: 'verify with a capital in its version', plain: verify, other: get(ofVersion('/v1/auth/verify')) },
    { name: 'verify with backslashes in its path', plain: verify, other: get(withBackslashes('/v1/auth/verify')) },
    fromHere('verify', verify),
    fromItsPage('verify', verify),
    asPreflight('verify', verify),
    asProbe('verify', verify),
    ...otherwiseSent('verify', verify),
    withAnyCredentials('verify', verify),
    withAnyCookie('verify', verify),
    asIfKnown('verify', verify),
    ...asAnother('verify', verify),
    ...behindToken('verify', verify),
    ...asOtherPrograms('verify', verify),
    ...dressedUp('verify', verify),
    ...ifChanged('verify', verify),
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
    { name: 'a read with a capital in its version', plain: read, other: get(ofVersion(path)) },
    { name: 'a read with backslashes in its path', plain: read, other: get(withBackslashes(path)) },
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
    ...repeated('a run', run),
    ...ifChanged('a read', read),
    asOriginal('a read', read),
    ...[asAnother, behindToken].flatMap((way) => [...way('a read', read), ...way('a run', run)]),
    ...otherwiseSent('a read', read),
    ...otherwiseSent('a run', run),
    ...[fromHere, fromItsPage, asPreflight, asProbe, withAnyCredentials, withAnyCookie, asIfKnown].flatMap((way) => [
      way('a read', read),
      way('a run', run),
    ]),
    ...dressedUp('a read', read),
    ...dressedUp('a run', run),
    withTwoWrong('a read', read),
    withTwoWrong('a run', run),
  ];
}
