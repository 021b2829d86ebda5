/** What a record is after somebody has touched it: refused, changed, or revoked before a restart. */
import {
  type Exchange,
  hasMember,
  Inapplicable,
  Inconclusive,
  isObject,
  type Json,
  member,
  rule,
  type Subject,
  statusFits,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { verifiesWithTier } from '../../language/expectations.ts';
import { aKey, isLetIn, recordsIn, requestedTier, settling } from '../../language/issued-keys.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { everything, mustSucceed } from '../../language/sure.ts';
import { parsed } from './payloads.ts';

type Beside = {
  readonly before: Exchange;
  readonly after: Exchange;
};

const hasGrown = ({ before, after }: Beside): boolean => (recordsIn(after) ?? 0) > (recordsIn(before) ?? 0);

const threeTimes = 3;

export const refusalCreatesNothing = rule({
  id: 'admin.refusal-creates-nothing',
  clause: clauses.adminNeedsToken,
  needs: ['admin.create', 'admin.list'],
  without: everything,
  cases: () => [{ name: 'no token', of: () => null }, wrongInTheMiddle],
  // Nobody else may make a key meanwhile.
  alone: true,
  async ask(ask) {
    const { admin, subject } = ask;
    const right = subject.admin?.token;
    if (right === undefined) throw new Inconclusive('there is no admin token');
    const list = async (): Promise<Exchange> => mustSucceed(await admin.list(), 'listing keys');
    const none = await list();
    await aKey(ask);
    if (!hasGrown({ before: none, after: await list() }))
      throw new Inapplicable('the list does not show by its length that a key was made');
    const token = ask.case.of(right);
    const tries: Beside[] = [];
    // Somebody else may make a key meanwhile, but not each time.
    while (tries.length < threeTimes && tries.every(hasGrown)) {
      const before = await list();
      const { exchange } = await admin.create({ token });
      if (!statusFits(exchange, ['4xx', 501, 503]))
        throw new Inconclusive(
          `creating a key was not refused but answered ${whatCame(exchange)}: another rule says so`,
        );
      tries.push({ before, after: await list() });
    }
    return tries;
  },
  judge: (tries) =>
    tries.every(hasGrown)
      ? tries.map(({ after }) => violation(after, 'no further record in the list', 'one more than before the refusal'))
      : [],
  mend: 'Check X-Admin-Token before anything is stored, not beside it.',
});

export const changedTier = rule({
  id: 'admin.changed-tier',
  clause: clauses.changeIsKnown,
  needs: ['admin.create', 'admin.change'],
  without: everything,
  async ask(ask) {
    const { admin, verify, subject } = ask;
    const made = await aKey(ask);
    const { issued, key } = made;
    // Who remembers a key remembers its tier.
    const before = mustSucceed(await verify({ key }), 'verifying a new key');
    if (verifiesWithTier(before, requestedTier(made)).length > 0)
      throw new Inconclusive('a new key does not verify with the tier that was asked for: another rule says so');
    const changed = mustSucceed(await admin.change(issued), 'changing it');
    const tier = tierSaidIn(changed, subject);
    if (tier === undefined || member(before, 'tier') === tier)
      throw new Inapplicable('the change that the profile describes asks for no other tier');
    return {
      tier,
      after: await settling(ask)(
        () => verify({ key }),
        (answer) => member(answer, 'tier') === tier,
      ),
    };
  },
  judge: ({ tier, after }) => hasMember(after, 'tier', tier),
  mend: 'Take the tier from the record on every request, or drop what was remembered of a key when it is changed.',
});

/** The one tier of the profile that stands in what was sent. */
function tierSaidIn({ request }: Exchange, { tierOrder, keys }: Subject): string | undefined {
  const known = new Set([...tierOrder, ...keys.flatMap(({ tier }) => tier ?? [])]);
  const said = new Set(textsIn(parsed(request.body?.text ?? '') ?? null).filter((text) => known.has(text)));
  return said.size === 1 ? [...said][0] : undefined;
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

export const revocationSurvivesRestart = rule({
  id: 'admin.revocation-survives-restart',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke', 'admin.restart'],
  without: everything,
  alone: true,
  async ask(ask) {
    const { admin, verify } = ask;
    const { issued, key } = await aKey(ask);
    mustSucceed(await verify({ key }), 'verifying a new key');
    mustSucceed(await admin.revoke(issued), 'revoking it');
    const before = await settling(ask)(
      () => verify({ key }),
      (answer) => !isLetIn(answer),
    );
    if (isLetIn(before)) throw new Inconclusive('a revoked key is let in before the restart too: another rule says so');
    await ask.restart();
    return verify({ key });
  },
  judge: (exchange) =>
    isLetIn(exchange) ? [violation(exchange, 'the key to be refused as before the restart', whatCame(exchange))] : [],
  mend: 'Store that a key was revoked, and not only that it was made.',
});
