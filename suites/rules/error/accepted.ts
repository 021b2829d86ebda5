/** Bodies are JSON, whatever kind a caller says that it prefers: a client whose library asks for anything else must not get another one. */
import {
  type Case,
  type Exchange,
  expectJson,
  rule,
  type Subject,
  statusFits,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, invented } from '../../language/asking.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { plainVerify } from '../../language/twins.ts';

const preferences = [
  { of: 'a browser', accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  { of: 'a reader of XML', accept: 'application/xml' },
  { of: 'a terminal', accept: 'text/plain' },
];

interface Preferring extends Case {
  readonly call: 'verify' | 'read' | 'run' | 'a missing key' | 'an unknown route';
  readonly accept: string;
}

function preferring({ actors }: Subject): readonly Preferring[] {
  const calls: readonly Preferring['call'][] = [
    'verify',
    'a missing key',
    'an unknown route',
    ...(actors.clean.length > 0 ? (['read', 'run'] as const) : []),
  ];
  return calls.flatMap((call) =>
    preferences.map(({ of, accept }): Preferring => ({ name: `${call}, as ${of} asks`, call, accept })),
  );
}

/** What has no body is no body of another kind, and who has nothing that is accepted may say so. */
const isExempt = (exchange: Exchange): boolean =>
  statusFits(exchange, [204, 304, 406]) || exchange.response?.body.text === '';

export const jsonWhateverAccepted = rule({
  id: 'error.json-whatever-accepted',
  clause: clauses.bodiesAreJson,
  needs: ['key'],
  without: everything,
  cases: preferring,
  twin: plainVerify,
  async *ask({ verify, read, run, send, random, subject, case: { call, accept } }) {
    const [actor] = subject.actors.clean;
    const nowhere = `/v1/${invented(random)}`;
    const ask = (headers: readonly (readonly [string, string])[]): Promise<Exchange> => {
      if (call === 'an unknown route') return send({ method: 'GET', target: nowhere, headers });
      if (call === 'a missing key') return verify({ headers, key: null });
      return call === 'verify' || actor === undefined
        ? verify({ headers })
        : (call === 'read' ? read : run)({ headers, actor });
    };
    yield { plain: await ask([]) };
    yield { exchange: await ask([['Accept', accept]]) };
  },
  given: ({ plain }) => [
    inapplicableIf(
      plain !== undefined && expectJson(plain).length > 0,
      'the answer is no JSON for anybody; other rules report that where it matters',
    ),
  ],
  // Who serves pages to browsers beside may have reasons that no sentence rules out.
  judge: ({ exchange }) =>
    isExempt(exchange) || expectJson(exchange).length === 0
      ? []
      : [warning(exchange, 'a body that parses as JSON, or 406', whatCame(exchange))],
  fix: 'Answer with JSON whatever `Accept` says, or with 406 where it rules JSON out.',
});
