/** Touchstone as a library: a check with events, an abort signal, and its outcome. */
import { check, exitCodes, loadProfile, outcomeOf, type RunEvent } from 'touchstone';

// Without a path, touchstone.yaml is looked for here and above; secrets come from the environment.
const profile = await loadProfile({ path: process.argv[2] ?? 'touchstone.yaml' });

const told = (event: RunEvent): void => {
  if (event.type === 'planned') console.log(`${event.header.planned.length} rules in ${event.steps} steps`);
  if (event.type === 'finding' && event.finding.verdict === 'fail') console.log(`broken: ${event.finding.rule}`);
};

const run = await check(profile, {
  depth: 'quick',
  on: told,
  // Aborted, it stops asking, tidies up, and the run says `interrupted`.
  signal: AbortSignal.timeout(5 * 60_000),
});

const outcome = outcomeOf(run);
console.log(`${outcome}: ${run.footer?.counts.pass} passed, ${run.footer?.counts.untested} untested`);
process.exitCode = exitCodes[outcome];
