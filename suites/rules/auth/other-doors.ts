/** The same data by another door: a guard that compares paths or methods letter by letter is in front of one door alone. */
import {
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
}

const get = (target: string): RawRequest => ({ method: 'GET', target });

function doors(subject: Subject): readonly Door[] {
  const verify = get('/v1/auth/verify');
  const all: Door[] = [
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
  async *ask({ send, case: { plain, other } }) {
    yield { guarded: await send({ ...plain, key: null }) };
    yield { withKey: await send(other), without: await send({ ...other, key: null }) };
  },
  given: ({ guarded }) => [
    inapplicableIf(
      !!guarded && !statusFits(guarded, 401),
      'as the specification writes it, it does not get 401 without a key either; other rules report that',
    ),
  ],
  judge: ({ withKey, without }) =>
    isServedAlike(withKey, without)
      ? [violation(without, '401 without a key, as for the plain path', whatCame(without))]
      : [],
  fix: 'Check the key where the request is handled, after the path was normalised, or serve no other spelling.',
});
