/**
 * `npm run prove -- matrix`: every fault and every lawful variant against every rule. Words after it choose variants whose name
 * holds one of them: what they prove is merged into `proofs.json`, where it is exact. `--depth thorough` asks lawful ones so deep.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Depth } from '../../src/model/run.ts';
import { isObservation } from '../../src/vocabulary.ts';
import { catalogue } from '../../suites/index.ts';
import { runMatrix } from './matrix.ts';
import { killed, merged, type Proofs, problemsOf, proofsOf } from './result.ts';
import { tableOf } from './table.ts';
import { allTrials } from './variants.ts';

const depths: readonly Depth[] = ['quick', 'standard', 'thorough'];
const { positionals: words, values } = parseArgs({ allowPositionals: true, options: { depth: { type: 'string' } } });
const depth = depths.find((each) => each === values.depth);
if (values.depth !== undefined && depth === undefined) {
  process.stderr.write(`no such depth: ${values.depth} (${depths.join(', ')})\n`);
  process.exit(2);
}
const trials = await allTrials();
const chosen = trials.flatMap(({ variant }, index) =>
  words.length === 0 || words.some((word) => variant.name.includes(word)) ? [index] : [],
);
const { results, failures, seconds } = await runMatrix(chosen, 1, { depth });
const whole = words.length === 0;
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
if (!whole) {
  for (const result of results) {
    out(`${result.name} (${result.kind}, ${result.depth}, ${result.exchanges} exchanges, ${Math.round(result.ms)} ms)`);
    for (const rule of Object.keys(result.said)) out(`  ${result.said[rule]} ${rule}: ${result.reasons[rule]}`);
  }
}

const place = new URL('./proofs.json', import.meta.url);
const written = JSON.parse(readFileSync(place, 'utf8')) as Proofs;
const proofs = whole ? proofsOf(results) : merged(written, results);
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
