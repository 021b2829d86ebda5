/** The same data by another door: a guard that compares paths or methods letter by letter is in front of one door alone. */
import {
  type Ask,
  asksWith,
  type Exchange,
  headerValues,
  Inapplicable,
  isObject,
  type Json,
  jsonOf,
  type Line,
  member,
  type RawRequest,
  rule,
  statusFits,
  succeeded,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { tagIn } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { type Door, doors } from '../../language/doors.ts';
import { asNew } from '../../language/dresses.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { plainVerify } from '../../language/twins.ts';

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

function tagOf(exchange: Exchange): string {
  const tag = tagIn(exchange);
  if (tag === undefined) throw new Inapplicable('the service shows no tag');
  return tag;
}

/** Told that what it has is still so, without a key. */
const isUnchanged = (exchange: Exchange): boolean => statusFits(exchange, 304) && asksWith(exchange, 'if-none-match');

/** Not merely a page of any kind: what a caller with a key gets at the plain route. */
function isShown(without: Exchange, plain: Exchange): boolean {
  if (without.request.method === 'HEAD' || isUnchanged(without)) return true;
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
    const { plain, by, cookie, tagged, answered, behind } = ask.case;
    const other = asNew(ask.case.other, ask.random);
    const send = sender(ask, by);
    if (answered) await send({ ...other, headers: (other.headers ?? []).filter(([name]) => name !== 'X-API-Key') });
    const on = behind === undefined ? undefined : ask.line();
    const enter = (line: Line) => (behind === 'token' ? ask.admin.list({ on: line }) : ask.verify({ on: line }));
    const entered = on === undefined ? null : await enter(on);
    const headers = [
      ...(cookie ? [['Cookie', cookieOf(await send(plain))] as const] : []),
      ...(tagged ? [['If-None-Match', tagOf(await send(plain))] as const] : []),
    ];
    const without = await send({ ...other, headers: [...(other.headers ?? []), ...headers], ...(on && { on }) }, true);
    yield { entered, without };
    // Most doors are shut, and nothing else is to be known of them. One that leads elsewhere may be no door of a service at all.
    const isShut = statusFits(without, '4xx');
    yield { guarded: isShut ? null : await send(plain, true) };
    yield { plain: isShut ? null : await send(plain) };
  },
  given: ({ entered, guarded, plain }, { by }) => [
    succeeds(entered, 'the call before it on that connection'),
    inapplicableIf(
      !!guarded && !statusFits(guarded, by === 'key' ? 401 : '4xx'),
      `as the specification writes it, it is not refused without a ${by} either; other rules report that`,
    ),
    succeeds(plain, `the same with a ${by}`),
  ],
  judge: ({ without, plain }, { by, aside }) =>
    plain !== null && (succeeded(without) || isUnchanged(without)) && isShown(without, plain)
      ? [(aside ? warning : violation)(without, `a refusal without a ${by}, as for the plain path`, whatCame(without))]
      : [],
  fix: 'Check the key and the admin token where the request is handled, after the path was normalised, or serve no other spelling.',
});
