/** `touchstone doctor`: what prevents a run, what it would test, and the lines that would unlock the rest. */
import { inline, lasting } from '../../../reports/text.ts';
import { exitCodeOf, type Point, warning } from '../../doctor/point.ts';
import { examine } from '../../doctor/service.ts';
import { type AreaRow, tableOf } from '../../doctor/table.ts';
import { visit } from '../../engine/visit.ts';
import { exitCodes } from '../../model/run.ts';
import type { Profile } from '../../profile/profile.ts';
import { catalogue } from '../catalogue.ts';
import { doctorText } from '../doctor-text.ts';
import { interruption } from '../interrupt.ts';
import { machinePoints } from '../machine.ts';
import { exitWith, out, say, terminal } from '../output.ts';
import { profileOf } from '../profile.ts';
import { type StartedTarget, startTarget } from '../target.ts';

export interface DoctorFlags {
  readonly profile?: string;
  readonly json?: true;
  readonly verbose?: true;
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
      visit(profile, { signal: interrupt.signal, waiting, control: started?.control ?? {} }, (it) =>
        examine(it, catalogue.rules),
      ),
      machinePoints(profile.origin),
    ]);
    const points = [...examined.points, ...formerPoints(profile), ...machine];
    const table = tableOf(examined.planned);
    const exitCode = exitCodeOf(points);
    const width = Math.max(60, Math.min(terminal.width ?? 110, 130));
    const verbose = flags.verbose === true;
    out(
      flags.json
        ? asJson(profile.source, points, table, exitCode)
        : doctorText(points, table, { width, exitCode, verbose }),
    );
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

const formerPoints = ({ former = [] }: Profile): Point[] =>
  former.map(({ name, now }) =>
    warning(`profile ${name}`, 'a former name, which a later version will not know', `Write ${now}`),
  );

const asJson = (profile: string, points: readonly Point[], areas: readonly AreaRow[], exitCode: number): string =>
  JSON.stringify({ profile, exitCode, points: points.map(({ exit: _, ...point }) => point), areas }, undefined, 2);
