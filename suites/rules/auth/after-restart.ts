/** Guards that a start sets up, looked at once more after a further start. */
import { type Exchange, expectStatus, type Reason, rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectInvalidKey } from '../../language/expectations.ts';
import { inconclusiveIf, succeeds } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';

type Look = { readonly before: Exchange; readonly after: Exchange };

interface Looks {
  readonly ran: readonly Look[];
  readonly verified: readonly Look[];
  readonly read: readonly Look[];
  readonly managed: readonly Look[];
}

const refusesKey = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, 401);
const refusesToken = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, ['4xx', 501, 503]);

/** With what each of them has to say to a credential that is wrong. */
const judged = ({ ran = [], verified, read, managed }: Looks) =>
  [
    [ran, refusesKey],
    [verified, expectInvalidKey],
    [read, refusesKey],
    [managed, refusesToken],
  ] as const;

export const guardedAfterRestart = rule({
  id: 'auth.guarded-after-restart',
  clause: clauses.guardsOutliveRestarts,
  needs: ['key', 'clean', 'admin.restart'],
  actor: 'clean',
  without: everything,
  alone: 'last',
  async *ask({ run, verify, read, admin, key, subject, restart }) {
    const wrong = wrongInTheMiddle.of(key.secret);
    const token = subject.admin?.operations.includes('list') ? subject.admin.token : undefined;
    // The very first run of a process may be another thing than all later ones.
    const running = [() => run({ key: null }), () => run({ key: wrong })];
    const verifying = [() => verify({ key: wrong })];
    const reading = [() => read({ key: null }), () => read({ key: wrong })];
    const managing =
      token === undefined
        ? []
        : [() => admin.list({ token: null }), () => admin.list({ token: wrongInTheMiddle.of(token) })];
    const all = [...running, ...verifying, ...reading, ...managing];
    const before: Exchange[] = [];
    for (const send of all) before.push(await send());
    await restart();
    const looks: Look[] = [];
    for (const [at, send] of all.entries()) looks.push({ before: before[at]!, after: await send() });
    const next = (some: readonly unknown[]): readonly Look[] => looks.splice(0, some.length);
    yield { right: await verify() };
    yield { ran: next(running), verified: next(verifying), read: next(reading), managed: next(managing) };
  },
  given: ({ right, ran = [], verified, read = [], managed = [] }) => [
    succeeds(right, 'verifying a key after the restart'),
    inconclusiveIf(
      verified !== undefined &&
        judged({ ran, verified, read, managed }).every(([looks, expect]) =>
          looks.every(({ before }) => expect(before).length > 0),
        ),
      'nothing was guarded before the restart either; other rules report that',
    ),
  ],
  judge: (all) =>
    judged(all).flatMap(([looks, expect]) =>
      looks.flatMap(({ before, after }) => (expect(before).length > 0 ? [] : expect(after))),
    ),
  fix: 'Set up the checks of keys and of the admin token the same way at each start, also if the store exists already.',
});
