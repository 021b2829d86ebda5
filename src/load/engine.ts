/** What an engine is: from a plan to samples, with figures of what it cost. */
import type { Clock } from '../clock.ts';
import type { ProcessFigures } from '../model/measurement.ts';
import type { LoadPlan } from './plan.ts';
import type { Sample } from './samples.ts';

export interface Generated {
  /** Why it ended too early. */
  readonly failure?: string;
  readonly process: ProcessFigures;
  /** Cores that it could have used; if omitted: all that this process may. */
  readonly cores?: number;
  readonly service?: ProcessFigures;
  /** Of the loop that sends, where that is ours: it stood still for this long at a time, in the worst hundredth of the time. */
  readonly stalledMs?: number;
  readonly interrupted: boolean;
  /** What the engine said beside, without secrets. */
  readonly notes: readonly string[];
}

export interface Generating {
  readonly clock: Clock;
  /** Aborted: no more is sent, and what is there is given back. */
  readonly signal: AbortSignal;
  readonly onSample: (worker: number, sample: Sample) => void;
  /** Everything is ready and the schedule begins about now. */
  readonly onStart?: () => void;
}

export interface Engine {
  readonly name: 'k6' | 'autocannon';
  readonly version: string;
  readonly model: 'open' | 'closed';
  /** What a person should know of it beforehand. */
  readonly warning?: string;
  generate(plan: LoadPlan, generating: Generating): Promise<Generated>;
  /** At once, without a word. */
  kill(): void;
}
