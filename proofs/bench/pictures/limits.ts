/** `limits.png`: limits as they are found in memory, by a clock of their own: the same every time, on any machine. */
import { htmlReport } from '../../../reports/html.ts';
import { tryOn } from '../../matrix/try-on.ts';
import { catalogue } from './rules.ts';

const keyLimits = {
  free: { burst: 10, perSecond: 10 },
  pro: { burst: 20, perSecond: 20 },
  scale: { burst: 40, perSecond: 40 },
};

/** The report of a run. */
export async function limitsPage(): Promise<string> {
  const profile = { limits: { max_requests: 10_000, max_seconds: 300 } };
  const variant = { name: 'limits', overlays: [], areas: ['limit'], options: { keyLimits }, profile };
  return htmlReport(await tryOn(catalogue, variant, { depth: 'quick', seed: 12 }));
}

/** What of it is drawn. */
export const limitsSectionOf = (page: string): string =>
  /<section id="limits"[\s\S]*?<\/section>/.exec(page)?.[0] ?? '';
