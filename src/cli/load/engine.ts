/** Which engine measures: k6 for what has a schedule, autocannon for what has none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ScenarioName } from '../../../load/shared/scenarios.ts';
import { autocannonEngine } from '../../load/autocannon/engine.ts';
import type { Engine } from '../../load/engine.ts';
import { k6Engine } from '../../load/k6/engine.ts';
import { advice, candidates, findK6 } from '../../load/k6/find.ts';
import { MissingTool } from '../../load/missing-tool.ts';
import { isClosed } from '../../load/prepare.ts';
import { surroundings } from './tools.ts';

export interface Chosen {
  readonly scenario: ScenarioName;
  readonly engine: Engine;
  /** What the reader should know of the choice. */
  readonly remarks: readonly string[];
}

/** Without a scenario it is `latency`, or `smoke` where there is no k6. */
export async function chooseEngine(wanted: ScenarioName | undefined, k6: string | undefined): Promise<Chosen> {
  if (wanted !== undefined && isClosed(wanted))
    return { scenario: wanted, engine: autocannonEngine(process.pid), remarks: [] };
  const around = surroundings(k6);
  const found = await findK6(around);
  if (found !== undefined) {
    const engine = k6Engine(found, scriptsRoot(), process.env.PATH);
    return { scenario: wanted ?? 'latency', engine, remarks: found.warning === undefined ? [] : [found.warning] };
  }
  const tried = (await candidates(around)).map(({ path, wrong }) => `${path}: ${wrong}`);
  if (wanted === undefined && k6 === undefined) {
    const remark =
      'k6 was not found, so this is a smoke test with autocannon: latency at a given rate needs k6 (touchstone tools)';
    return { scenario: 'smoke', engine: autocannonEngine(process.pid), remarks: [...tried, remark] };
  }
  throw new MissingTool(
    'k6',
    [
      `${wanted ?? 'latency'} needs k6 2.x, which was not found${tried.length === 0 ? '' : ` (${tried.join('; ')})`}`,
      ...advice,
    ].join('\n  '),
  );
}

/** `load/` lies next to the sources, or next to what was built of them. */
export function scriptsRoot(): string {
  const near = join(import.meta.dirname, '../../..');
  return existsSync(join(near, 'load/latency.ts')) ? near : join(near, '..');
}
