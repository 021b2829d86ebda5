/** Whether a client says that a run succeeded only where it was told so. */
import { clientRule, isObject, jsonOf, type Reason, type SeenTrial, succeeded } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { inWords, isResult, violation, warning } from './looking.ts';
import { outcomeUnknown } from './passing.ts';

export const claimsNoSuccess = clientRule({
  id: 'client.claims-no-success',
  passing: outcomeUnknown,
  clause: clauses.clientClaimsNoSuccess,
  judge: (trial): Reason[] | undefined => {
    const { outcome, stopped } = trial.ended;
    // Another host may have answered; and a client that Touchstone ended has reported nothing.
    if (stopped !== undefined || trial.elsewhere.length > 0 || trial.calls.some(isResult)) return undefined;
    const claims = outcome === 'complete' || outcome === 'partial';
    if (!claims) return trial.calls.length + trial.broken === 0 ? undefined : [];
    const last = trial.runs.at(-1) ?? trial.calls.at(-1);
    // Many languages read null, and what is not there, as an empty list; some know no difference between lists and objects.
    const weigh = last !== undefined && isWithoutList(last) ? warning : violation;
    return [
      weigh('the client to say that the run failed', `it says that ${inWords[outcome]}, and ${lastSeen(trial)}`, last),
    ];
  },
  fix: 'Treat a run as successful only if the status is 2xx and the whole body is a JSON object with a list in `items`; a copy that made no call has no result.',
});

type Call = SeenTrial['calls'][number];

function isWithoutList(call: Call): boolean {
  const body = jsonOf(call);
  if (!succeeded(call) || !body.ok) return false;
  return Array.isArray(body.value) || (isObject(body.value) && typeof (body.value.items ?? null) === 'object');
}

function lastSeen({ runs, calls, broken }: SeenTrial): string {
  const last = runs.at(-1) ?? calls.at(-1);
  if (last === undefined) return broken > 0 ? 'nothing was sent to it' : 'it made no call';
  if (last.failure !== undefined) return 'no whole answer was sent to it';
  const { status } = last.response ?? {};
  return `all that was sent to it was ${status}${succeeded(last) ? ' without a list in `items`' : ''}`;
}
