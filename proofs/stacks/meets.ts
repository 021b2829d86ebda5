/** What the stacks meet, and pure: what one start of one of them was seen to do, in a few words. */
import type { ClientRule, SeenTrial, Situation } from '../../src/model/client.ts';
import { clientObservation } from '../../src/model/client.ts';
import { limited, result } from '../../suites/client/answers.ts';
import { situations } from '../../suites/client/index.ts';
import { gapsOf, resultOf } from '../../suites/client/looking.ts';

/** Dates are whole seconds: it is two to three seconds away. */
const soon: Situation = {
  name: 'limited-soon',
  title: '429 with a date within 3 s',
  depth: 'standard',
  items: 3,
  answers: (plant) => [limited(new Date(Date.now() + 3000).toUTCString()), result(plant)],
};

interface Column {
  readonly situation: string;
  readonly head: string;
}

const column = (situation: string, head: string): Column => ({ situation, head });

/** One table each. */
export const tables: readonly (readonly Column[])[] = [
  [
    column('limited-two', '429, `Retry-After: 2`'),
    column('limited-missing', '429 twice, no `Retry-After`'),
    column('limited-soon', '429, a date within 3 s'),
    column('failing-once-500', '500 once'),
    column('failing-once-502', '502 once'),
    column('failing-once-504', '504 once'),
    column('failing-500', '500 always'),
    column('broken-before', 'broken before the request'),
    column('broken-after', 'broken after the request'),
  ],
  [
    column('complete', 'complete'),
    column('partial', 'PARTIAL'),
    column('refused-400', '400'),
    column('refused-401', '401'),
    column('error-page', '400 that is a page'),
    column('slow', 'answer after 6 s'),
    column('cut-success', 'half a body, always'),
    column('compressed', 'compressed answer'),
    column('redirected-302', '302 to another host'),
    column('redirected-307', '307 to another host'),
  ],
];

export const met: readonly Situation[] = tables
  .flat()
  .map(({ situation }) => [soon, ...situations].find(({ name }) => name === situation)!);

/** Asks for exactly these situations; what is seen is read from the trials. */
export const rule: ClientRule = clientObservation({
  id: 'client.retries',
  passing: 'it is asked of started programs alone',
  clause: { id: 'stacks', section: '', level: 'observed', says: '' },
  situations: met.map(({ name }) => name),
  observe: () => [],
  fix: '',
});

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(1);

export function did(trial: SeenTrial): string {
  if (trial.elsewhere.length > 0) return followed(trial);
  const repeated = trial.runs.length + trial.broken - 1;
  const { stopped, outcome } = trial.ended;
  const end = stopped === undefined ? outcome : 'waits on';
  const words = [...repetition(trial, repeated), ...(end === 'complete' && repeated > 0 ? [] : [end])];
  if (trial.situation === 'compressed' && resultOf(trial)?.response?.body.coding === undefined)
    words.push('did not ask');
  return words.join(', ');
}

function repetition(trial: SeenTrial, repeated: number): string[] {
  if (repeated <= 0) return [];
  const pauses = gapsOf(trial).map(({ ms }) => seconds(ms));
  return [`${repeated} × again${pauses.length === 0 ? '' : ` (${pauses.join(', ')} s)`}`];
}

function followed({ elsewhere }: SeenTrial): string {
  const [{ request }] = elsewhere as [SeenTrial['elsewhere'][number]];
  const withKey = request.headers.some(([name, value]) => name.toLowerCase() === 'x-api-key' && value !== '');
  return `follows as ${request.method}, ${withKey ? '**with the key**' : 'without the key'}`;
}
