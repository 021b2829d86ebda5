/** `touchstone doctor`: what stands in the way of a run, what it would test, and the lines that would unlock the rest. */
import { inline, lasting, plural, wrap } from '../../../reports/text.ts';
import { exitCodeOf, type Point, type State } from '../../doctor/point.ts';
import { examine } from '../../doctor/service.ts';
import { type AreaRow, lockedIn, tableOf } from '../../doctor/table.ts';
import { visit } from '../../engine/visit.ts';
import { exitCodes } from '../../model/run.ts';
import { catalogue } from '../catalogue.ts';
import { interruption } from '../interrupt.ts';
import { machinePoints } from '../machine.ts';
import { exitWith, out, say, terminal } from '../output.ts';
import { profileOf } from '../profile.ts';
import { type StartedTarget, startTarget } from '../target.ts';

export interface DoctorFlags {
  readonly profile?: string;
  readonly json?: true;
}

export async function doctor(address: string | undefined, flags: DoctorFlags): Promise<void> {
  const read = await profileOf({ path: flags.profile, address });
  const interrupt = interruption(() => {});
  let started: StartedTarget | undefined;
  try {
    if (read.target !== undefined) started = await startTarget(read, { quiet: flags.json === true }, interrupt.signal);
    const profile = started?.profile ?? read;
    const waiting = (who: string, ms: number): void => say(`rate-limited: waiting ${lasting(ms)} (${inline(who, 60)})`);
    const [examined, machine] = await Promise.all([
      visit(profile, { signal: interrupt.signal, waiting }, (it) => examine(it, catalogue.rules)),
      machinePoints(profile.origin),
    ]);
    const points = [...examined.points, ...machine];
    const table = tableOf(examined.planned);
    const exitCode = exitCodeOf(points);
    out(flags.json ? asJson(profile.source, points, table, exitCode) : asText(points, table, exitCode));
    exitWith(exitCode);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    say('Interrupted: there is no result.');
    exitWith(exitCodes.interrupted);
  } finally {
    await started?.close();
    interrupt.done();
  }
}

const asJson = (profile: string, points: readonly Point[], areas: readonly AreaRow[], exitCode: number): string =>
  JSON.stringify({ profile, exitCode, points: points.map(({ exit: _, ...point }) => point), areas }, undefined, 2);

const signs: Readonly<Record<State, string>> = { ok: '✓', note: '·', warning: '!', problem: '✗' };

function asText(points: readonly Point[], table: readonly AreaRow[], exitCode: number): string {
  const width = Math.max(60, Math.min(terminal.width ?? 110, 130));
  const widest = Math.max(...points.map(({ name }) => name.length));
  const indent = ' '.repeat(widest + 4);
  const wrapped = (text: string): string[] =>
    wrap(inline(text, 600), width - indent.length).map((line) => `${indent}${line}`);
  const lines = points.flatMap(({ name, state, says, next }) => {
    const [first = '', ...more] = wrapped(says);
    return [
      `${signs[state]} ${name.padEnd(widest)}  ${first.trim()}`,
      ...more,
      ...(next === undefined ? [] : wrapped(`→ ${next}`)),
    ];
  });
  return [...lines, '', ...tableLines(table, width), '', lastLine(points, table, exitCode)].join('\n');
}

function tableLines(table: readonly AreaRow[], width: number): string[] {
  const head = `${'area'.padEnd(9)} ${'can'.padStart(4)} ${'cannot'.padStart(6)}  the line of the profile that would unlock them`;
  const indent = ' '.repeat(23);
  const rows = table.flatMap((row) => {
    const counts = `${row.area.padEnd(9)} ${String(row.can.length).padStart(4)} ${String(lockedIn(row)).padStart(6)}`;
    const locks = row.cannot.flatMap(({ because, add, rules }) => [
      add === undefined ? `– ${because}` : inline(add, 400),
      ...wrap(`  ${rules.join(', ')}${add === undefined ? '' : `: ${because}`}`, width - indent.length).map(
        (line) => `  ${line.trim()}`,
      ),
    ]);
    return locks.length === 0
      ? [counts]
      : locks.map((line, at) => (at === 0 ? `${counts}  ${line}` : `${indent}${line}`));
  });
  return [head, ...rows];
}

function lastLine(points: readonly Point[], table: readonly AreaRow[], exitCode: number): string {
  const can = table.reduce((sum, row) => sum + row.can.length, 0);
  const locked = table.reduce((sum, row) => sum + lockedIn(row), 0);
  const problems = points.filter(({ state }) => state === 'problem').length;
  return `${plural(can, 'rule')} can run, ${locked} cannot. ${plural(problems, 'problem')}: exit code ${exitCode}.`;
}
