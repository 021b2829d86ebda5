/** What the types make impossible. `npm run check` is what fails here, not the run. */
import { expect, it } from 'vitest';
import type { Clause } from './clause.ts';
import { isObservation, observation, rule } from './rule.ts';

const silent: Clause<'observed'> = { id: 'silent', section: '§0', level: 'observed', says: 'It is not shown.' };
const said: Clause<'required'> = { id: 'said', section: '§0', level: 'required', says: 'It is so.' };
const common = { needs: [], ask: async () => null, fix: '' } as const;

it('an observed clause cannot fail anybody, and a required one cannot only be observed', () => {
  // @ts-expect-error a rule that judges takes no observed clause
  const accusing = rule({ ...common, id: 'run.x', clause: silent, judge: () => [] });
  // @ts-expect-error an observation takes no required clause
  const idle = observation({ ...common, id: 'run.y', clause: said, observe: () => [] });
  // @ts-expect-error an observation has no judge
  const both = observation({ ...common, id: 'run.z', clause: silent, observe: () => [], judge: () => [] });
  expect([accusing, idle, both].map(isObservation)).toEqual([false, true, true]);
});
