/**
 * `npm run freeze`: writes what the rules and clauses are into `suites/sets/N.json`, N being `rulesVersion`, and those of clients into
 * `suites/sets/clients-N.json`, N being `clientRulesVersion`. A published set never changes: to change the catalogue,
 * after that raises its version first. `-- --published 0.2.0` says with which version of Touchstone they go out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientClauses } from '../../suites/clauses/clients.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { clientRules, clientRulesVersion, situations } from '../../suites/client/index.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { clientSetOf } from '../../suites/sets/client-entry.ts';
import { type RuleSet, setOf } from '../../suites/sets/entry.ts';
import { specification } from '../../suites/specification.ts';
import { difference } from './difference.ts';

const folder = join(import.meta.dirname, '../../suites/sets');
const publishedAs = process.argv[process.argv.indexOf('--published') + 1];
const publishing = process.argv.includes('--published') ? publishedAs : undefined;

type Head = Pick<RuleSet, 'version' | 'specification' | 'since' | 'published'>;

interface Kind {
  readonly version: string;
  readonly file: string;
  /** What to do when it was published already. */
  readonly raise: string;
  make(head: Head): RuleSet;
}

const kinds: readonly Kind[] = [
  {
    version: rulesVersion,
    file: `${rulesVersion}.json`,
    raise: `raise \`rulesVersion\` in suites/index.ts,\nadd ${Number(rulesVersion) + 1}.json to suites/sets/kept.ts (the oldest of four goes), and freeze again.`,
    make: (head) => setOf(head, catalogue, Object.values(clauses)),
  },
  {
    version: clientRulesVersion,
    file: `clients-${clientRulesVersion}.json`,
    raise:
      'raise `clientRulesVersion` in suites/client/index.ts,\nread the new file in suites/sets/kept.ts, and freeze again.',
    make: (head) => clientSetOf(head, clientRules, Object.values(clientClauses), situations),
  },
];

function freeze({ version, file, raise, make }: Kind): void {
  const path = join(folder, file);
  const before: RuleSet | undefined = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  const now = make({
    version,
    specification,
    since: before?.since ?? new Date().toISOString().slice(0, 10),
    published: before?.published ?? publishing ?? null,
  });
  const changes = before === undefined ? [`${Object.keys(now.rules).length} rules`] : difference(before, now);
  if (before?.published != null && changes.length > 0) {
    process.stderr.write(
      `${changes.join('\n')}\nSet ${version} (${file}) was published with Touchstone ${before.published}: ${raise}\n`,
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(path, `${JSON.stringify(now, undefined, 2)}\n`);
  process.stdout.write(`${changes.map((each) => `${each}\n`).join('')}suites/sets/${file}: ${now.digest}\n`);
}

for (const kind of kinds) freeze(kind);
