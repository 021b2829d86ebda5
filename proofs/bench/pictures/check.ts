/** `terminal.svg` and `report.png`: a check of a service with one defect. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoProfile } from '../../../fixtures/profiles/demo.ts';
import { demoKeys, type Overlay, serve } from '../../../fixtures/service/index.ts';
import { photograph } from './photograph.ts';
import { docs, inFolder } from './places.ts';
import { touchstone } from './run.ts';
import { terminalSvg } from './svg.ts';

/** Forgets the tier of a test key on a connection that was used before. */
const lie: Overlay = (base) => ({
  verifyBody: (call, record) =>
    record.kind === 'test' && call.request.connection.nth > 1 ? { valid: true } : base.verifyBody(call, record),
});

const keys = demoKeys('picture');
const adminToken = 'picture-admin-token-0123456789';
const common = {
  host: '127.0.0.1',
  port: 0,
  seed: 'picture',
  upstreamTimeoutMs: 200,
  keyLimits: false,
  addressLimit: false,
} as const;

/** The head, the areas, the first failure, and the answer: what stands between is in the report. */
function shortened(text: string): string {
  const blocks = text.trimEnd().split('\n\n');
  return [...blocks.slice(0, 3), '  …', blocks.at(-1) ?? ''].join('\n\n');
}

/** How many rules have which verdict. */
export const drawCheck = (): Promise<Readonly<Record<string, number>>> =>
  inFolder(async (folder) => {
    const main = await serve({ ...common, adminToken, decisions: lie });
    const second = await serve(common);
    try {
      const profile = demoProfile({ address: main.url, disabled: second.url, adminToken, keys });
      const { testing, main: live, limited } = profile.keys;
      const written = { ...profile, keys: { main: live, testing, limited } };
      writeFileSync(join(folder, 'touchstone.json'), JSON.stringify(written));
      const command = ['check', '--seed', '1', '--format', 'console,html,json'];
      const said = await touchstone(folder, command, { FORCE_COLOR: '1' });
      const text = shortened(said.replaceAll(main.url, 'http://127.0.0.1:8080'));
      const label = 'What touchstone check prints for a service with one defect';
      writeFileSync(join(docs, 'terminal.svg'), terminalSvg(`$ npx touchstone check\n${text}`, label));
      await photograph({ page: join(folder, 'touchstone-report/report.html'), to: 'report.png' });
      const { counts } = JSON.parse(readFileSync(join(folder, 'touchstone-report/report.json'), 'utf8')) as {
        readonly counts: Readonly<Record<string, number>>;
      };
      return counts;
    } finally {
      await Promise.all([main.close(), second.close()]);
    }
  });
