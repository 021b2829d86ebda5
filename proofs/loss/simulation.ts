/** How often chance alone would accuse a lawful service, by the very function that decides it. Pure. */
import type { Step } from '../../src/model/run.ts';
import { type Random, seeded } from '../../src/random.ts';
import type { StepOutcome } from '../../src/verdict/judge.ts';
import { lostInARow, withoutChance } from '../../src/verdict/lost.ts';

const unanswered: StepOutcome = { kind: 'unanswered', because: 'no answer came', reasons: [], places: [0] };
const answered: StepOutcome = { kind: 'judged', reasons: [], facts: [] };
const step = { context: {} } as Step;

/** One question of a lawful service, asked as the engine asks it. */
function isAccused(share: number, random: Random): boolean {
  const asked: StepOutcome[] = [];
  while (asked.length < lostInARow && asked.at(-1) !== answered) asked.push(random() < share ? unanswered : answered);
  const settled = withoutChance(asked.map((outcome) => ({ step, outcome })));
  return settled.some(({ outcome }) => outcome.kind === 'judged' && outcome !== answered);
}

/** Of so many runs, how many accuse. `share`: of the answers that are lost. */
export function falselyAccused(runs: number, questions: number, share: number, seed: number): number {
  const random = seeded(seed);
  let accused = 0;
  for (let run = 0; run < runs; run += 1) {
    let is = false;
    // A question that is answered at once says nothing; only the others are simulated in full.
    for (let asked = 0; asked < questions && !is; asked += 1) is = random() < share && isAccusedFurther(share, random);
    if (is) accused += 1;
  }
  return accused;
}

/** After a first loss. */
function isAccusedFurther(share: number, random: Random): boolean {
  let first = true;
  return isAccused(share, () => {
    if (!first) return random();
    first = false;
    return 0;
  });
}
