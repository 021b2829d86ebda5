import {
  type AdminOptions,
  type Case,
  type Exchange,
  expectMember,
  expectStatus,
  type Key,
  type Question,
  type RequestOptions,
  rule,
  type Subject,
  statusFits,
  succeeded,
  unless,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { workOf } from '../../language/asking.ts';
import { expectNoValidKey, expectNoWork, expectVerified } from '../../language/expectations.ts';
import { inapplicableIf, refusedWork, succeeds } from '../../language/gates.ts';
import { keyNearMisses, wrongInTheMiddle } from '../../language/near-misses.ts';
import { gentlest, send, tokenOf } from '../../language/operations.ts';
import { cleanRun, plainRead, plainVerify } from '../../language/twins.ts';

export const runWithoutKey = rule({
  id: 'auth.run-without-key',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'clean'],
  actor: 'clean',
  twin: cleanRun,
  ask: ({ run }) => run({ key: null }),
  judge: (exchange) => expectStatus(exchange, 401),
  fix: 'Check the X-API-Key header before anything runs, even if the header is missing.',
});

export const runWithInvalidKey = rule({
  id: 'auth.run-with-invalid-key',
  eachKey: true,
  clause: clauses.invalidKeyIs401,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => keyNearMisses,
  twin: cleanRun,
  ask: ({ run, key, case: nearMiss }) => run({ key: nearMiss.of(key.secret) }),
  judge: (exchange) => expectStatus(exchange, 401),
  fix: 'Compare the whole key (by its hash), never part of it; do not trim or normalise it.',
});

export const readWithoutKey = rule({
  id: 'auth.read-without-key',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'clean'],
  actor: 'clean',
  twin: plainRead,
  ask: ({ read }) => read({ key: null }),
  judge: (exchange) => expectStatus(exchange, 401),
  fix: 'Check the key before reads too: reading an actor is a data request.',
});

export const readWithInvalidKey = rule({
  id: 'auth.read-with-invalid-key',
  eachKey: true,
  clause: clauses.invalidKeyIs401,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => keyNearMisses,
  twin: plainRead,
  ask: ({ read, key, case: nearMiss }) => read({ key: nearMiss.of(key.secret) }),
  judge: (exchange) => expectStatus(exchange, 401),
  fix: 'Check the key before reads with the same code as before runs.',
});

export const refusalDoesNoWork = rule({
  id: 'auth.refusal-does-no-work',
  waits: true,
  clause: clauses.refusedRunDoesNotRun,
  needs: ['key', 'sources'],
  actor: 'sources',
  cases: () => [
    { name: 'no key', of: () => null },
    { name: 'an invalid key', of: wrongInTheMiddle.of },
  ],
  ask: (ask) => workOf(ask, { key: ask.case.of(ask.key.secret) }),
  given: refusedWork,
  judge: expectNoWork,
  fix: 'Authenticate before the actor starts, not in parallel.',
});

export const adminTokenIsNoKey = rule({
  id: 'auth.admin-token-is-no-key',
  clause: clauses.tokenIsNoKey,
  needs: ['key', 'admin.token'],
  cases: ({ actors }) => dataCalls.filter(({ call }) => call === 'verify' || actors.clean.length > 0),
  twin: plainVerify,
  about: ({ subject, case: { call } }) => ({ verifying: call === 'verify' || subject.actors.clean.length === 0 }),
  async *ask({ verify, read, run, key, subject, case: { call, header, wrong } }) {
    const token = subject.admin?.token ?? null;
    const [actor] = subject.actors.clean;
    const send = (how: RequestOptions): Promise<Exchange> =>
      call === 'verify' || actor === undefined ? verify(how) : (call === 'read' ? read : run)({ ...how, actor });
    const asKey = header === 'X-API-Key' || token === null;
    const beside = wrong ? wrongInTheMiddle.of(key.secret) : null;
    yield { keyless: asKey ? null : await send({ key: beside }) };
    yield { exchange: await send(asKey ? { key: token } : { key: beside, headers: [[header, token]] }) };
  },
  given: ({ keyless }) => [
    inapplicableIf(
      !!keyless && !statusFits(keyless, 401),
      'without the token it does not get 401 either; other rules report that',
    ),
  ],
  judge: ({ exchange }, { verifying }) => (verifying ? expectNoValidKey(exchange) : expectStatus(exchange, 401)),
  fix: 'Look up API keys among API keys only; the admin token is not a key that may do everything.',
});

/** The token as a key, alone, and beside a key that is wrong. */
const dataCalls = [
  { header: 'X-API-Key', how: '', wrong: false },
  { header: 'X-Admin-Token', how: '', wrong: false },
  { header: 'X-Admin-Token', how: ' beside a wrong key', wrong: true },
].flatMap(({ header, how, wrong }) =>
  ['verify', 'read', 'run'].map((call) => ({ name: `${call}, in ${header}${how}`, call, header, wrong })),
);

interface Spelled extends Case {
  readonly header?: string;
  readonly route?: 'verify' | 'read' | 'run' | 'admin';
}

export const headerNameCase = rule({
  id: 'auth.header-name-case',
  clause: clauses.headerNamesAreCaseless,
  needs: ['key'],
  cases: (subject): readonly Spelled[] => [
    { name: 'x-api-key' },
    { name: 'X-API-KEY' },
    { name: 'x-ApI-kEy' },
    // Each route may read headers in its own way.
    ...(subject.actors.clean.length === 0 ? [] : ['x-api-key', 'X-API-KEY']).flatMap((header) => [
      { name: `${header}, for a read`, header, route: 'read' as const },
      { name: `${header}, for a run`, header, route: 'run' as const },
    ]),
    ...(gentlest(subject) === undefined ? [] : ['x-admin-token', 'X-ADMIN-TOKEN']).map((name) => ({
      name,
      route: 'admin' as const,
    })),
  ],
  twin: plainVerify,
  about: ({ case: { route = 'verify' } }: Question<Spelled>) => ({ route }),
  async *ask(ask) {
    const { verify, read, run, subject } = ask;
    const { name, header = name, route = 'verify' } = ask.case;
    if (route === 'admin') {
      const managed = (how: AdminOptions) => send(ask, gentlest(subject) ?? 'list', null, how);
      yield { exchange: await managed({ token: null, headers: [[header, tokenOf(subject)]] }) };
      yield { usual: await managed({}) };
      return;
    }
    const [actor] = subject.actors.clean;
    const how = { keyHeader: header, ...(actor && { actor }) };
    const call = { verify, read, run }[route];
    yield { exchange: await call(how) };
    yield { usual: route === 'verify' ? null : await call(actor ? { actor } : {}) };
  },
  given: ({ usual }) => [succeeds(usual, 'the same with the usual spelling')],
  judge: ({ exchange }, { route }) =>
    unless(expectStatus(exchange, '2xx'), () => (route === 'verify' ? expectMember(exchange, 'valid', true) : [])),
  fix: 'Match the header name case-insensitively: proxies and clients change its case.',
});

const otherThan = (key: Key, { keys }: Subject): Key | null =>
  keys.find((each) => each.role === 'entitled' && each.name !== key.name) ?? null;

const tellsByItself = (ran: Exchange): boolean => statusFits(ran, ['2xx', 401, 403]);

export const liveAndTestKeys = rule({
  id: 'auth.live-and-test-keys',
  clause: clauses.bothKindsAreKeys,
  needs: ['key'],
  without: ['key', 'actor'],
  cases: ({ keys }) =>
    keys
      .filter((key) => key.role === 'entitled' && key.kind !== 'issued')
      .map((key) => ({ name: `the ${key.kind} key ${key.name}`, key })),
  async ask({ verify, run, subject, key }) {
    const [actor] = subject.actors.clean;
    const verified = await verify();
    if (actor === undefined) return { verified, ran: null, other: null };
    const ran = await run({ actor });
    return { verified, ran, other: tellsByItself(ran) ? null : await run({ actor, key: otherThan(key, subject) }) };
  },
  // A run that fails for another reason than its key proves something only if another key's run succeeds.
  given: ({ ran, other }) => [
    ran && !tellsByItself(ran) && !(other && succeeded(other)) ? succeeds(ran, 'a clean run') : undefined,
  ],
  judge: ({ verified, ran }) => [...expectVerified(verified), ...(ran === null ? [] : expectStatus(ran, '2xx'))],
  fix: 'Look up keys with either prefix in the same way.',
});
