/** Three implementations side by side, in memory: the same every time, so that a test can make the page again. */
import { workBeforeAccess } from '../../../fixtures/faults/access.ts';
import { of400 } from '../../../fixtures/faults/error-shapes.ts';
import { successStatuses } from '../../../fixtures/lawful/statuses.ts';
import type { Overlay } from '../../../fixtures/service/index.ts';
import { type Matrix, type MatrixRun, matrixOf } from '../../../reports/matrix.ts';
import { tryOn } from '../../matrix/try-on.ts';
import { catalogue } from './rules.ts';

interface Implementation {
  readonly name: string;
  readonly overlays: readonly Overlay[];
}

const named = (name: string, all: readonly { readonly name: string; readonly lie: Overlay }[]): Overlay[] =>
  all.filter((each) => each.name === name).map(({ lie }) => lie);

const implementations: readonly Implementation[] = [
  { name: 'acme', overlays: [] },
  { name: 'borealis', overlays: successStatuses.slice(0, 1).flatMap(({ freedom }) => freedom ?? []) },
  {
    name: 'corvid',
    overlays: [
      ...named('decides-about-access-after-the-run', workBeforeAccess),
      ...named('calls-detail-message', of400),
    ],
  },
];

/** Enough to show what a comparison shows. */
const areas = ['access', 'run', 'error'];

export async function comparison(): Promise<Matrix> {
  const runs: MatrixRun[] = [];
  for (const { name, overlays } of implementations) {
    const run = await tryOn(catalogue, { name, overlays, areas }, { depth: 'quick', seed: 1 });
    const header = { ...run.header, target: `https://${name}.example`, started: '2026-11-25T09:00:00.000Z' };
    const { findings, footer } = run;
    runs.push({ name, header, findings, actors: [], ...(footer === undefined ? {} : { footer }) });
  }
  return matrixOf(runs);
}
