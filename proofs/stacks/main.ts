/**
 * What real HTTP stacks do in each situation, measured: written to measured.json, from which docs/clients.md is made. Words choose
 * stacks; then nothing is written. `--promised` takes those that need no install.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { judgeClient } from '../../src/client/judge.ts';
import { type SeenTrial, seenTrial } from '../../src/model/client.ts';
import { usualClient } from '../../src/profile/profile-client.ts';
import { installed, missing, versionsOf } from './install.ts';
import { did, met, rule } from './meets.ts';
import { type Stack, stacks } from './stacks.ts';
import type { MeasuredStack } from './table.ts';

const path = new URL('./measured.json', import.meta.url);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const words = process.argv.slice(2);
const promised = words.includes('--promised');
const named = words.filter((word) => word !== '--promised');
const chosen = stacks.filter(({ name, kit }) =>
  promised
    ? kit.folder === 'curl' || name === 'fetch'
    : named.length === 0 || named.some((word) => name.includes(word)),
);

const problems: string[] = [];

async function measure(stack: Stack): Promise<MeasuredStack | undefined> {
  const { kit, name } = stack;
  const lacking = missing(kit);
  if (lacking.length > 0) {
    say(`– ${name}: left out, ${lacking.join(' and ')} is not on this machine`);
    if (promised) problems.push(`${name}: ${lacking.join(' and ')} is missing`);
    return undefined;
  }
  const folder = installed(kit, say);
  const filled = (text: string): string => text.replaceAll('{folder}', folder);
  const env = Object.fromEntries(Object.entries(stack.env ?? {}).map(([key, text]) => [key, filled(text)]));
  const run = await judgeClient(
    { rules: [rule], situations: met, version: '', specification: '' },
    { ...usualClient, command: stack.command.map(filled), env: { ...usualClient.env, ...env }, folder },
    { env: process.env, processors: availableParallelism() },
    { seed: 7 },
  );
  if (run.footer?.unreachable !== undefined) {
    problems.push(`${name}: ${run.footer.unreachable}`);
    return undefined;
  }
  const seen = (run.trials ?? []).map((trial) => seenTrial(trial, run.exchanges));
  const { own, language } = versionsOf(stack, folder);
  const answers = Object.fromEntries(
    met.map(({ name: each }) => [
      each,
      // The tables are of plain calls: what a context adds to a situation is the client's matter.
      [...new Set(seen.filter((trial) => trial.situation === each && isPlain(trial)).map(did))].join('; '),
    ]),
  );
  if (answers.complete !== 'complete') problems.push(`${name}: a plain run is not complete: ${answers.complete}`);
  return { name, version: own, language: `${kit.folder} ${language}`, did: answers };
}

const measured: MeasuredStack[] = [];
for (const stack of chosen) {
  const one = await measure(stack);
  if (one === undefined) continue;
  measured.push(one);
  say(`✓ ${one.name} ${one.version}`);
  for (const { name, title } of met) say(`    ${title}: ${one.did[name]}`);
}
if (problems.length > 0) say(`${problems.length} problems:\n${problems.map((each) => `  ${each}`).join('\n')}`);
// What this machine lacks keeps what was measured elsewhere.
else if (chosen.length === stacks.length) {
  const before = JSON.parse(readFileSync(path, 'utf8')) as MeasuredStack[];
  const all = stacks.flatMap(({ name }) => [...measured, ...before].find((each) => each.name === name) ?? []);
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
  say(`${measured.length} stacks measured; UPDATE_DOCS=1 npx vitest run docs writes the tables`);
}
process.exitCode = problems.length === 0 ? 0 : 1;

function isPlain({ deviations = [] }: SeenTrial): boolean {
  return deviations.length === 0;
}
