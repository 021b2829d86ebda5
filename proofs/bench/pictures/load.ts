/** `load.png`: the latency of the reference service. Needs k6. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../../fixtures/service/index.ts';
import { loadPage } from '../../../reports/html/load.ts';
import { readRunFile } from '../../../src/runfile/read.ts';
import type { Measurement } from '../../../src/vocabulary.ts';
import { photograph } from './photograph.ts';
import { inFolder } from './places.ts';
import { touchstone } from './run.ts';

export interface DrawnLoad {
  /** Without what the curves are drawn from. */
  readonly measurement: Measurement;
  readonly says: string;
}

/** Everything on the page except its curves. */
export const wordsOf = (measurement: Measurement): string =>
  String(loadPage([measurement], () => []).section)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const drawLoad = (): Promise<DrawnLoad> =>
  inFolder(async (folder) => {
    const service = await serve({ host: '127.0.0.1', port: 0, keyLimits: false, addressLimit: false });
    try {
      const actors = { echo: { name: 'message-relay', input: { message: '{{nonce}}' } } };
      const keys = { main: { value: service.demoKeys!.entitled.key, test: true } };
      const profile = { address: service.url, keys, actors, load: { latency: { p99: '250ms' }, errors: '0.1%' } };
      writeFileSync(join(folder, 'touchstone.json'), JSON.stringify(profile));
      const file = join(folder, 'touchstone-report/load-latency.jsonl');
      const command = ['load', 'latency', '--rate', '100', '--duration', '30s', '--seed', '7', '--until', 'valid'];
      await touchstone(folder, command);
      const [found] = readRunFile(file).measurements ?? [];
      if (found === undefined) throw new Error('load left no measurement: is k6 installed? npx touchstone tools');
      if (found.validity.verdict !== 'valid') throw new Error('this machine is too busy to draw load: try again later');
      await touchstone(folder, ['report', file, '--format', `html=${join(folder, 'load.html')}`]);
      const hide = '#load details, #load figure ~ figure';
      await photograph({ page: join(folder, 'load.html'), to: 'load.png', part: '#load', hide, height: 900 });
      const measurement = { ...found, series: [] };
      return { measurement, says: wordsOf(measurement) };
    } finally {
      await service.close();
    }
  });
