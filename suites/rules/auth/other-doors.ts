/** The same data by another door: a guard that compares paths or methods letter by letter is in front of one door alone. */
import {
  type Ask,
  type Case,
  type Exchange,
  expectMember,
  isObject,
  jsonOf,
  type RawRequest,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inapplicableIf } from '../../language/gates.ts';

interface Door extends Case {
  /** The route as the specification writes it. */
  readonly plain: RawRequest;
  readonly other: RawRequest;
  /** What opens it. */
  readonly by: 'key' | 'token';
}

const get = (target: string): RawRequest => ({ method: 'GET', target });

const doors = (subject: Subject): readonly Door[] => [
  ...dataDoors(subject).map((door): Door => ({ ...door, by: 'key' })),
  ...keyListDoors(subject).map((door): Door => ({ ...door, by: 'token' })),
];

/** Where a list is read, nothing is changed by looking. */
function keyListDoors({ admin }: Subject): readonly Omit<Door, 'by'>[] {
  if (admin?.token === undefined || !admin.operations.includes('list')) return [];
  const plain = get(admin.collection);
  return [
    { name: 'the list of keys by HEAD', plain, other: { ...plain, method: 'HEAD' } },
    { name: 'the list of keys with a slash behind', plain, other: get(`${plain.target}/`) },
    { name: 'the list of keys with a query', plain, other: get(`${plain.target}?page=1`) },
    { name: 'the list of keys with a doubled slash', plain, other: get(plain.target.replace(/(.)\//, '$1//')) },
  ];
}

function dataDoors(subject: Subject): readonly Omit<Door, 'by'>[] {
  const verify = get('/v1/auth/verify');
  const all = [
    { name: 'verify with a slash behind', plain: verify, other: get('/v1/auth/verify/') },
    { name: 'verify by HEAD', plain: verify, other: { ...verify, method: 'HEAD' } },
  ];
  const [actor] = subject.actors.clean;
  if (actor === undefined) return all;
  const name = encodeURIComponent(actor.name);
  const read = get(`/v1/actors/${name}`);
  const body = JSON.stringify(actor.input ?? {});
  const run: RawRequest = { method: 'POST', target: `/v1/actors/${name}/run-sync-get-dataset-items`, body };
  return [
    ...all,
    { name: 'a read with a slash behind', plain: read, other: get(`/v1/actors/${name}/`) },
    { name: 'a read with a doubled slash', plain: read, other: get(`/v1//actors/${name}`) },
    { name: 'a read with capitals in its path', plain: read, other: get(`/v1/Actors/${name}`) },
    { name: 'a read with an escape in its path', plain: read, other: get(`/v1/%61ctors/${name}`) },
    { name: 'a read with a query', plain: read, other: get(`/v1/actors/${name}?page=1`) },
    { name: 'a read with a parameter', plain: read, other: get(`/v1/actors/${name};page=1`) },
    { name: 'a read by HEAD', plain: read, other: { ...read, method: 'HEAD' } },
    { name: 'a run with a slash behind', plain: run, other: { ...run, target: `${run.target}/` } },
    { name: 'a run with a query', plain: run, other: { ...run, target: `${run.target}?page=1` } },
  ];
}

const namesIn = (exchange: Exchange): string | undefined => {
  const body = jsonOf(exchange);
  return body.ok && isObject(body.value) ? Object.keys(body.value).sort().join() : undefined;
};

/** The credential of the door, or none at all. */
function sender({ send, admin }: Pick<Ask<unknown>, 'send' | 'admin'>, by: Door['by']) {
  return (request: RawRequest, isKeyless = false): Promise<Exchange> =>
    by === 'key'
      ? send({ ...request, ...(isKeyless && { key: null }) })
      : admin.send({ ...request, ...(isKeyless && { token: null }) });
}

/** Not merely a page of any kind: what a caller with a key gets there. */
const isServedAlike = (withKey: Exchange, without: Exchange): boolean =>
  succeeded(withKey) &&
  succeeded(without) &&
  // At verify it is lawful, if odd, to report an invalid key by the field.
  expectMember(without, 'valid', false).length > 0 &&
  (without.request.method === 'HEAD' || (namesIn(without) !== undefined && namesIn(without) === namesIn(withKey)));

export const otherDoors = rule({
  id: 'auth.other-doors',
  clause: clauses.keyAtEveryDoor,
  needs: ['key'],
  without: everything,
  cases: doors,
  // Runs of other times do not say it: they tried the doors of the data interface alone.
  about: ({ case: { by } }): { readonly by?: Door['by'] } => ({ by }),
  async *ask(ask) {
    const { plain, other, by } = ask.case;
    const send = sender(ask, by);
    yield { guarded: await send(plain, true) };
    yield { withKey: await send(other), without: await send(other, true) };
  },
  given: ({ guarded }, { by = 'key' }) => [
    inapplicableIf(
      !!guarded && !statusFits(guarded, by === 'key' ? 401 : '4xx'),
      `as the specification writes it, it is not refused without a ${by} either; other rules report that`,
    ),
  ],
  judge: ({ withKey, without }, { by = 'key' }) =>
    isServedAlike(withKey, without)
      ? [violation(without, `a refusal without a ${by}, as for the plain path`, whatCame(without))]
      : [],
  fix: 'Check the key and the admin token where the request is handled, after the path was normalised, or serve no other spelling.',
});
