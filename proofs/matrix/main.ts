/**
 * `npm run prove -- matrix`: every fault and every lawful variant against every rule. Words after it choose variants whose name
 * holds one of them: what they prove is merged into `proofs.json`, where it is exact. `--depth thorough` asks lawful ones so deep.
 * `--share` tries what CI has time for, another part every day (`--day 3` chooses it). `--rules run.one,run.two` asks these rules
 * alone, of all that the words leave: what a rule that changed finds by itself, in minutes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Depth } from '../../src/model/run.ts';
import { isObservation } from '../../src/vocabulary.ts';
import { catalogue } from '../../suites/index.ts';
import { type Matrix, runMatrix } from './matrix.ts';
import { killed, merged, type Proofs, problemsOf, proofsOf } from './result.ts';
import { tableOf } from './table.ts';
import { allTrials, shareOf } from './variants.ts';

const depths: readonly Depth[] = ['quick', 'standard', 'thorough'];
const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: {
    depth: { type: 'string' },
    share: { type: 'boolean' },
    day: { type: 'string' },
    rules: { type: 'string' },
  },
});
const depth = depths.find((each) => each === values.depth);
if (values.depth !== undefined && depth === undefined) {
  process.stderr.write(`no such depth: ${values.depth} (${depths.join(', ')})\n`);
  process.exit(2);
}
const day = Number(values.day ?? Math.floor(Date.now() / 86_400_000));
if (!Number.isSafeInteger(day) || day < 0 || (values.share === true && words.length > 0)) {
  const what = words.length > 0 ? '--share chooses by itself: give no names with it' : `no such day: ${values.day}`;
  process.stderr.write(`${what}\n`);
  process.exit(2);
}
const only = values.rules?.split(',').map((rule) => rule.trim());
const unknown = only?.find((wanted) => !catalogue.some(({ id }) => id === wanted));
if (unknown !== undefined || (only !== undefined && values.share === true)) {
  process.stderr.write(
    `${unknown === undefined ? '--share asks all rules: give no --rules' : `no such rule: ${unknown}`}\n`,
  );
  process.exit(2);
}
const trials = await allTrials();
const chosen = trials.flatMap(({ variant }, index) =>
  words.length === 0 || words.some((word) => variant.name.includes(word)) ? [index] : [],
);
const { results, failures, seconds } =
  values.share === true ? await tryShare() : await runMatrix(chosen, 1, { depth, only });
const whole = words.length === 0 && values.share !== true && only === undefined;
const canFail = whole ? catalogue.filter((rule) => !isObservation(rule)).map((rule) => rule.id) : [];
const problems = [
  ...failures,
  ...problemsOf(
    results,
    catalogue.map((rule) => rule.id),
    canFail,
  ),
];

const out = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
if (words.length > 0 && only === undefined) {
  for (const result of results) {
    out(`${result.name} (${result.kind}, ${result.depth}, ${result.exchanges} exchanges, ${Math.round(result.ms)} ms)`);
    for (const rule of Object.keys(result.said)) out(`  ${result.said[rule]} ${rule}: ${result.reasons[rule]}`);
  }
}

const place = new URL('./proofs.json', import.meta.url);
const written = JSON.parse(readFileSync(place, 'utf8')) as Proofs;
// A few rules by themselves see less than among all: that is no proof.
const proofs = whole ? proofsOf(results) : only === undefined ? merged(written, results) : written;
// CI changes no file: a stale table is a problem there. An inexact result is never written.
const isStale = JSON.stringify(proofs) !== JSON.stringify(written);
if (isStale && process.env.CI !== undefined) problems.push('proofs.json is not current');
if (isStale && problems.length === 0) writeFileSync(place, `${JSON.stringify(proofs, null, 2)}\n`);
if (whole) {
  mkdirSync(new URL('../../touchstone-report/', import.meta.url), { recursive: true });
  writeFileSync(new URL('../../touchstone-report/matrix.md', import.meta.url), tableOf(results, catalogue));
}
const faults = results.filter((each) => each.kind === 'fault');
out(
  `${catalogue.length} rules, ${faults.length} faults, ${faults.flatMap(killed).length} kills, ` +
    `${results.length - faults.length} lawful runs, ${seconds.toFixed(1)} s`,
);
for (const problem of problems) out(`✗ ${problem}`);
const exact = whole ? 'the matrix is exact' : 'exact as far as tried';
out(problems.length === 0 ? exact : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function tryShare(): Promise<Matrix> {
  const { inShort, whole: due } = shareOf(trials, day);
  const short = await runMatrix(inShort, 1, { inShort: 'by areas' });
  const long = await runMatrix(due, 1, { depth });
  return {
    results: [...short.results, ...long.results],
    failures: [...short.failures, ...long.failures],
    seconds: short.seconds + long.seconds,
  };
}
