/** What a key of another plan is told when something is wrong: the same as everybody. */
import {
  type Actor,
  type Ask,
  type Case,
  type Exchange,
  expectFieldNamed,
  type Json,
  type Key,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, invented } from '../../language/asking.ts';
import { furtherKeys, isOpenTo, noFurtherKey, usualKey } from '../../language/further-keys.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { fieldCases } from '../../language/wrong-inputs.ts';

interface Wrong extends Case {
  readonly fits: readonly number[];
  /** Where it is a run of an actor that is there: the input that is wrong, or a body that is none. */
  readonly input?: Json;
  readonly body?: string;
  readonly field?: string;
  readonly elsewhere?: (ask: Pick<Ask<unknown>, 'read' | 'run' | 'send' | 'random'>, key: Key) => Promise<Exchange>;
}

const badInput = [400, 422];

const nowhere: readonly Wrong[] = [
  {
    name: 'reading an unknown actor',
    fits: [404],
    elsewhere: ({ read, random }, key) => read({ actor: invented(random), key }),
  },
  {
    name: 'running an unknown actor',
    fits: [404],
    elsewhere: ({ run, random }, key) => run({ actor: invented(random), key }),
  },
  {
    name: 'an unknown route',
    fits: [404],
    elsewhere: ({ send, random }, key) => send({ method: 'GET', target: `/v1/${invented(random)}`, key }),
  },
  {
    name: 'another method at verify',
    fits: [404, 405, 501],
    elsewhere: ({ send }, key) => send({ method: 'PUT', target: '/v1/auth/verify', body: '{}', key }),
  },
];

/** Of actors that are open to all. */
function wrongRuns(subject: Subject): readonly (Wrong & { readonly actor: Actor })[] {
  const [clean] = subject.actors.clean;
  const [crashing] = subject.actors.crashing;
  const cases = fieldCases(subject, ['missing']);
  const missing = typeof cases === 'string' ? undefined : cases.find(({ key }) => key === undefined);
  return [
    ...(clean === undefined
      ? []
      : [{ name: 'a run of malformed JSON', fits: badInput, actor: clean, body: '{"cut": ' }]),
    ...(missing === undefined
      ? []
      : [{ ...missing, fits: badInput, input: missing.mutant.input, field: missing.mutant.field }]),
    ...(crashing === undefined ? [] : [{ name: 'a run that crashes', fits: [500], actor: crashing }]),
  ];
}

type ByPlan = Wrong & { readonly key: Key };

function casesOf(subject: Subject): readonly ByPlan[] | string {
  const keys = furtherKeys(subject);
  if (keys.length === 0) return noFurtherKey;
  return keys.flatMap((key) =>
    [...nowhere, ...wrongRuns(subject)].map((each) => ({ ...each, name: `${each.name}, by the key ${key.name}`, key })),
  );
}

const isAsExpected = (exchange: Exchange, fits: readonly number[], field: string | undefined): boolean =>
  statusFits(exchange, fits) && (field === undefined || expectFieldNamed(exchange, field).length === 0);

export const forEveryPlan = rule({
  id: 'error.for-every-plan',
  clause: clauses.statusesAreForEveryPlan,
  needs: ['key'],
  without: everything,
  cases: casesOf,
  about: ({ case: { fits, field } }): { readonly fits: readonly number[]; readonly field?: string } => ({
    fits,
    ...(field === undefined ? {} : { field }),
  }),
  async *ask(ask) {
    const { fits, input, body, field, elsewhere, key } = ask.case;
    const send = (by: Key): Promise<Exchange> =>
      elsewhere?.(ask, by) ??
      ask.run({ key: by, ...(input === undefined ? {} : { input }), ...(body === undefined ? {} : { body }) });
    const exchange = await send(key);
    yield { exchange };
    if (isAsExpected(exchange, fits, field)) return;
    const usual = usualKey(ask.subject);
    yield { usual: usual === undefined ? null : await send(usual) };
    // Crashing, it never succeeds: whether it is open shows by a refusal.
    yield { clean: elsewhere !== undefined || fits[0] === 500 ? null : await ask.run() };
  },
  given: ({ exchange, usual, clean }, { fits, field }) => [
    isOpenTo(clean ?? undefined),
    inapplicableIf(
      !!exchange && fits[0] === 500 && statusFits(exchange, [402, 403]),
      'this actor is not open to such a key',
    ),
    inapplicableIf(!!usual && !isAsExpected(usual, fits, field), 'the usual key is told nothing else'),
  ],
  judge: ({ exchange }, { fits, field }) => {
    // `input.validated-for-every-plan` asks whether it is refused at all.
    if (field !== undefined && succeeded(exchange)) return [];
    if (!statusFits(exchange, fits))
      return [violation(exchange, `${fits.join(' or ')}, as for the usual key`, whatCame(exchange))];
    return field === undefined ? [] : expectFieldNamed(exchange, field);
  },
  fix: 'Answer what is wrong alike, whatever the plan of the key.',
});
