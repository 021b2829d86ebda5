/** A revoked key stays refused: later on, and whatever else is done with it. */
import { type Exchange, expectStatus, type Key, rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isRun } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { type Dress, dresses, type RunDress, runDresses } from '../../language/dresses.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { inconclusiveIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import {
  aKey,
  isLetIn,
  revokedKinds,
  sortsOfKeys,
  verifyingUntilRefused,
  wasRevoked,
} from '../../language/issued-keys.ts';

/** Longer than a short-lived cache or a second replica takes to bring a key back; the profile's bound may be longer. */
const laterMs = 3500;
const latestMs = 8000;
/** Who lets each third use in shows it by a few. */
const furtherUses = 6;

/** Nobody need answer an older version, and one that is not answered would take the whole rule with it. */
const isOfToday = ({ how }: Dress): boolean => how.version === undefined;

export const revokedStays = rule({
  id: 'admin.revoked-stays',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke'],
  without: everything,
  waits: 'apart',
  async *ask(ask) {
    const { admin, verify, run, sleep, subject } = ask;
    const { issued, key } = yield* aKey(ask);
    yield { valid: await verify({ key }) };
    yield { revoked: await admin.revoke(issued) };
    yield { settled: await verifyingUntilRefused(ask)(key) };
    // Who refuses a revoked key from its second use on is found by the first.
    const untouched = await revokedKinds(ask);
    // Who keeps only the last revocation forgets this one.
    const next = await admin.create();
    if (next.id !== undefined) await admin.revoke(next);
    // Who uses the place of a revoked key for a new one may leave something of the old one there.
    for (const { wanted } of sortsOfKeys(subject.admin)) await admin.create(wanted);
    const { revocationMs } = subject.bounds;
    const waitMs = Math.max(laterMs, Math.min(latestMs, revocationMs));
    await sleep(waitMs);
    const lastOf = verifyingUntilRefused(ask);
    yield { later: await lastOf(key) };
    const isPast = revocationMs <= waitMs;
    const further: Exchange[] = [];
    if (isPast) {
      for (let use = 0; use < furtherUses; use += 1) further.push(await verify({ key }));
      if (subject.admin?.operations.includes('read')) {
        await admin.read(issued);
        further.push(await verify({ key }));
      }
    }
    yield { further };
    const verifying = (how: Dress['how']) => (by: Key | null) => verify({ key: by, ...how });
    const running = (how: RunDress['how']) => (by: Key | null) => run({ key: by, actor: actor!, ...how });
    const dressed: { readonly answer: Exchange; readonly keyless: Exchange | null }[] = [];
    const [actor] = subject.actors.clean;
    // Who lets it in each time is found by another rule, and needs no clothes for that.
    const ran = isPast && actor !== undefined ? await run({ key, actor }) : null;
    yield { ran: ran === null ? null : { first: ran, next: await run({ key, actor: actor! }) } };
    const runs = ran === null || isLetIn(ran) ? [] : runDresses;
    const asked = [
      ...(isPast ? dresses : []).filter(isOfToday).map(({ how }) => verifying(how)),
      ...runs.filter(isOfToday).map(({ how }) => running(how)),
    ];
    for (const wearing of asked) {
      const answer = await wearing(key);
      dressed.push({ answer, keyless: isLetIn(answer) ? await wearing(null) : null });
    }
    yield { dressed };
    const others = [];
    for (const { key: of, ...each } of untouched)
      others.push({ ...each, later: isPast ? await verify({ key: of }) : await lastOf(of) });
    yield { others };
  },
  given: ({ created, valid, revoked, settled }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(valid, 'verifying a new key'),
    succeeds(revoked, 'revoking it'),
    inconclusiveIf(!!settled && isLetIn(settled), 'it is not revoked at first either; another rule reports that'),
  ],
  // How it is refused is judged by another rule.
  // Runs of other times looked at one key.
  judge: ({ later, further = [], ran = null, dressed = [], others = [] }) =>
    [
      later,
      ...further,
      // A cache that is filled by the first use and cleared by it.
      ...(ran === null || isLetIn(ran.next) ? [] : [ran.first]),
      // Who asks nobody for a key in such clothes is found by another rule.
      ...dressed.filter(({ keyless }) => keyless === null || !isLetIn(keyless)).map(({ answer }) => answer),
      ...others.filter(wasRevoked).map((each) => each.later),
    ]
      .filter(isLetIn)
      .flatMap((exchange) => (isRun(exchange) ? expectStatus(exchange, 401) : expectNoValidKey(exchange))),
  fix: 'A revocation is final: keep it in the store, and let no cache and no replica bring the key back.',
});
