/** `touchstone compare-implementations`: many implementations side by side. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type MatrixRun, matrixOf } from '../../../reports/matrix.ts';
import { matrixHtml } from '../../../reports/matrix-html.ts';
import { matrixConsole, matrixMarkdown } from '../../../reports/matrix-text.ts';
import type { Run } from '../../model/run.ts';
import { readRunFile } from '../../runfile/read.ts';
import { writeError } from '../../runfile/write.ts';
import { deriveAgain } from '../../verdict/derive-again.ts';
import { catalogue } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { out, terminal } from '../output.ts';

export interface MatrixFlags {
  readonly format: 'console' | 'markdown' | 'html';
  readonly output?: string;
}

export function matrix(given: readonly string[], { format, output }: MatrixFlags): void {
  const runs: MatrixRun[] = [];
  for (const each of given) {
    const { name, path } = namedFile(each);
    runs.push({ ...inShort(path), name: unused(name, runs) });
    refuseOther(runs[0]!, runs.at(-1)!);
  }
  const made = matrixOf(runs);
  const onScreen = output === undefined && format === 'console';
  const text =
    format === 'html'
      ? matrixHtml(made)
      : format === 'markdown'
        ? matrixMarkdown(made)
        : matrixConsole(made, {
            ...(onScreen ? { colour: terminal.colour } : {}),
            ...(onScreen && terminal.width !== undefined ? { width: terminal.width } : {}),
          });
  if (output === undefined) out(text);
  else write(output, text);
}

function write(output: string, text: string): void {
  try {
    writeFileSync(output, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    throw new UsageError(writeError(`the matrix cannot be written to ${output}`, error).message);
  }
}

/** `acme=runs/acme.jsonl`, or a path alone, which is then its own name. */
function namedFile(given: string): { readonly name: string; readonly path: string } {
  const [, name, path] = /^([^=/\\]{1,60})=(.+)$/s.exec(given) ?? [];
  if (name !== undefined && path !== undefined && !existsSync(given)) return { name, path };
  const own = basename(given).replace(/\.jsonl$/, '');
  return { name: own === 'run' ? basename(dirname(resolve(given))) : own, path: given };
}

function unused(name: string, runs: readonly MatrixRun[]): string {
  let tried = name;
  for (let count = 2; runs.some((each) => each.name === tried); count += 1) tried = `${name} (${count})`;
  return tried;
}

/** The exchanges are let go at once: what a matrix shows is verdicts and facts. */
function inShort(path: string): Omit<MatrixRun, 'name'> {
  const run = readRunFile(path, { partial: true });
  const { header, footer, exchanges, steps } = run;
  const actors = new Set(steps.flatMap(({ context }) => context.actor ?? []));
  for (const { request } of exchanges.values()) {
    const name = /\/v1\/actors\/([^/?#%]{3,})/.exec(request.target)?.[1];
    if (name !== undefined) actors.add(name);
  }
  return { header, findings: findingsOf(run), actors: [...actors], ...(footer === undefined ? {} : { footer }) };
}

/** In the words of today where the rules are those of today: facts are compared as text, and an older run words them differently. */
const findingsOf = (run: Run): Run['findings'] =>
  run.footer !== undefined &&
  run.header.rules.version === catalogue.version &&
  run.header.rules.specification === catalogue.specification
    ? deriveAgain(run, catalogue.rules)
    : run.findings;

function refuseOther(first: MatrixRun, other: MatrixRun): void {
  const [a, b] = [first.header.rules, other.header.rules];
  if (a.version === b.version && a.specification === b.specification) return;
  throw new UsageError(
    `${first.name} was judged by rules of version ${a.version.slice(0, 40)} and ${other.name} by version ${b.version.slice(0, 40)}${a.version === b.version ? ' of another specification' : ''}: the rules would differ, not the implementations; check both with the same Touchstone`,
  );
}
