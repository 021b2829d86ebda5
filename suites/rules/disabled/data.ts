/** The instance that runs without an admin token serves data requests as any other does, and refuses them as any other does. */
import {
  type Actor,
  type Ask,
  type Case,
  type Exchange,
  expectStatus,
  type Key,
  type RunOptions,
  rule,
  statusFits,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey, expectVerified } from '../../language/expectations.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';

interface Served extends Case {
  readonly key: Key;
  readonly actor?: Actor;
}

type Calling = Pick<Ask<Served>, 'verify' | 'read' | 'run' | 'case'>;

const callOf =
  ({ verify, read, run, case: { name } }: Calling) =>
  (how: Pick<RunOptions, 'key'> = {}): Promise<Exchange> =>
    (name === 'verify' ? verify : name === 'read' ? read : run)({ ...how, instance: 'disabled' });

export const dataInterfaceWorks = rule({
  id: 'disabled.data-interface-works',
  clause: clauses.dataWithoutAdmin,
  needs: ['disabled'],
  without: everything,
  cases({ disabled, actors }): readonly Served[] | string {
    const key = disabled?.key;
    if (key === undefined) return 'the profile has no key for the second instance: add `disabled.key`';
    const [actor] = actors.clean;
    const verify = { name: 'verify', key };
    return actor === undefined ? [verify] : [verify, { name: 'read', key, actor }, { name: 'run', key, actor }];
  },
  about: ({ case: { name } }) => ({ verifying: name === 'verify' }),
  async *ask(ask) {
    const call = callOf(ask);
    const exchange = await call();
    yield { exchange };
    // A refusal proves something only where the same call with a key succeeds.
    const isServed = succeeded(exchange);
    yield { keyless: isServed ? await call({ key: null }) : null };
    yield { invalid: isServed ? await call({ key: wrongInTheMiddle.of(ask.key.secret) }) : null };
    const isRun = ask.case.name === 'run';
    yield { malformed: isServed && isRun ? await ask.run({ instance: 'disabled', body: '{"cut": ' }) : null };
    const lacking =
      isServed && isRun ? ask.case.actor?.mutants.find(({ fault }) => fault === 'missing')?.input : undefined;
    const own = ask.subject.keys.find(({ role }) => role === 'entitled');
    if (lacking === undefined || own === undefined) return;
    // Where the first instance does not refuse it either, another rule reports that.
    const control = await ask.run({ instance: 'main', input: lacking, key: own });
    yield {
      lacking: statusFits(control, [400, 422]) ? await ask.run({ instance: 'disabled', input: lacking }) : null,
    };
  },
  // Runs of other times asked with a valid key alone.
  judge: ({ exchange, keyless = null, invalid = null, malformed = null, lacking = null }, { verifying }) => [
    ...(verifying ? expectVerified(exchange) : expectStatus(exchange, '2xx')),
    ...(keyless === null ? [] : expectStatus(keyless, 401)),
    ...(invalid === null ? [] : verifying ? expectNoValidKey(invalid) : expectStatus(invalid, 401)),
    ...[malformed, lacking].flatMap((each) => (each === null ? [] : expectStatus(each, [400, 422]))),
  ],
  fix: 'Disable only key management if the admin token is missing, nothing else: keys and inputs are still checked.',
});
