/** The versions of the rule set that can still be run, the oldest first: the last three. */
import one from './1.json' with { type: 'json' };
import two from './2.json' with { type: 'json' };
import type { ClientSet } from './client-entry.ts';
import clientsOne from './clients-1.json' with { type: 'json' };
import type { RuleSet } from './entry.ts';

export const mostKept = 3;

export const keptSets: readonly RuleSet[] = [one, two];

/** The version of the rules of clients that runs are judged and certified by. */
export const clientSet: ClientSet = clientsOne;
