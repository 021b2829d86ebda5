/** How waivers reach a run: the engine applies them, `src/waivers` reads and checks them. */
import type { PlannedRule, WaiverProblem } from './run.ts';
import type { Finding } from './verdict.ts';

/** What is temporarily accepted. The engine marks findings as waived before anybody sees them, and leaves the verdicts alone. */
export interface Waiving {
  finding(finding: Finding): Finding;
  /** What is wrong with the waivers themselves, now that all is found. */
  problems(findings: readonly Finding[], planned: readonly PlannedRule[]): readonly WaiverProblem[];
}
