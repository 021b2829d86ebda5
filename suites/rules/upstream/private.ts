/** What a source hears of the caller: not the key by which the caller is known to the service. */
import { rule, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf } from '../../language/asking.ts';
import { secretsSent } from '../../language/echoes.ts';
import { reachesOne } from '../../language/gates.ts';

export const sourcesSeeNoKey = rule({
  id: 'upstream.sees-no-key',
  clause: clauses.sourcesSeeNoKey,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: ['connection', 'history', 'company'],
  ask: cleanRunOf,
  given: reachesOne,
  judge: ({ clean, reachedByClean }) =>
    secretsSent(clean, reachedByClean?.heard ?? []).map((shown) =>
      violation(clean, 'a source that is not told the key', `${shown} in the request that reached it`),
    ),
  fix: 'Ask sources with headers of your own: do not pass on those of the call, above all X-API-Key.',
});
