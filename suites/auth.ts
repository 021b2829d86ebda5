import { hasStatus, observation, rule, violation } from '../src/index.ts';
import { clauses } from './clauses.ts';
import { keyNearMisses } from './near-misses.ts';
import { cleanRun, plainRead } from './twins.ts';

export const runWithoutKey = rule({
  id: 'auth.run-without-key',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'clean'],
  actor: 'clean',
  twin: cleanRun,
  ask: ({ run }) => run({ key: null }),
  judge: (exchange) => hasStatus(exchange, 401),
  mend: 'Check the X-API-Key header before anything is run, also when it is absent.',
});

export const runWithInvalidKey = rule({
  id: 'auth.run-with-invalid-key',
  clause: clauses.invalidKeyIs401,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => keyNearMisses,
  twin: cleanRun,
  ask: ({ run, key, case: nearMiss }) => run({ key: nearMiss.of(key.secret) }),
  judge: (exchange) => hasStatus(exchange, 401),
  mend: 'Compare the whole key (by its hash), never a part of it, and trim or normalise nothing.',
});

export const readWithoutKey = rule({
  id: 'auth.read-without-key',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'clean'],
  actor: 'clean',
  twin: plainRead,
  ask: ({ read }) => read({ key: null }),
  judge: (exchange) => hasStatus(exchange, 401),
  mend: 'Reading an actor is a data request too: put the key check in front of it.',
});

export const refusalDoesNoWork = rule({
  id: 'auth.refusal-does-no-work',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'sources'],
  actor: 'sources',
  twin: cleanRun,
  ask: async (ask) => {
    const refused = await ask.run({ key: null });
    return { refused, reached: await ask.reached(refused) };
  },
  judge: ({ refused, reached }) =>
    reached === 0 ? [] : [violation(refused, 'no source to be reached by a refused run', `${reached} reached`)],
  mend: 'Authenticate before the actor starts, not beside it.',
});

export const keyElsewhere = observation({
  id: 'auth.key-elsewhere',
  clause: clauses.keyElsewhereNotShown,
  needs: ['key'],
  cases: () => [{ name: 'in Authorization: Bearer', header: 'Authorization' }],
  ask: ({ verify, key, case: { header } }) => verify({ key: null, headers: [[header, key.secret]] }),
  observe: (exchange) => [`a key in Authorization is answered ${exchange.response?.status}`],
  mend: '',
});
