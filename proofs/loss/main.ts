/**
 * `node proofs/loss/main.ts`: no lost answer becomes an accusation. A simulation of 10,000 runs at 10 % loss, and checks of the
 * reference over wires that lose answers in several ways.
 */
import type { FailureKind } from '../../src/model/exchange.ts';
import { seeded } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import { lossy } from './lossy-wire.ts';
import { falselyAccused } from './simulation.ts';

const [seeds = 5] = process.argv.slice(2).map(Number);
const rules = { rules: catalogue, version: rulesVersion, specification: 'loss' };
const out = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const accused = falselyAccused(10_000, 1000, 0.1, 1);
out(`simulated: ${accused} of 10,000 runs of 1,000 questions accuse at 10 % loss (wanted: at most 1)`);
let problems = accused > 1 ? 1 : 0;

const ways: readonly (readonly [share: number, kind: FailureKind])[] = [
  [0.02, 'too-slow'],
  [0.05, 'closed-before-head'],
  [0.1, 'reset-before-head'],
];
for (const [share, kind] of ways) {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = seeded(seed);
    const run = await tryOn(
      rules,
      { name: 'reference', overlays: [] },
      { depth: 'quick', seed, wire: (transport) => lossy(transport, share, kind, random) },
    );
    const bad = run.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    const open = run.findings.filter(({ verdict }) => verdict === 'inconclusive').length;
    problems += bad.length;
    out(`${share * 100} % ${kind}, seed ${seed}: ${bad.length} accused, ${open} inconclusive`);
    for (const { rule, reasons } of bad) out(`  ✗ ${rule}: ${reasons[0]?.expected}, ${reasons[0]?.came}`);
  }
}
out(problems === 0 ? 'no lost answer accused anybody' : `${problems} problems`);
process.exitCode = problems === 0 ? 0 : 1;
