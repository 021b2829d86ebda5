/**
 * `npm run freeze`: writes what the rules and clauses are into `suites/sets/N.json`, N being `rulesVersion`. A set that was
 * published is never changed: whoever changes the catalogue after that raises `rulesVersion` first. `-- --published 0.2.0`
 * says with which version of Touchstone it goes out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clauses } from '../../suites/clauses/index.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { type RuleSet, setOf } from '../../suites/sets/entry.ts';
import { specification } from '../../suites/specification.ts';
import { difference } from './difference.ts';

const folder = join(import.meta.dirname, '../../suites/sets');
const path = join(folder, `${rulesVersion}.json`);
const publishedAs = process.argv[process.argv.indexOf('--published') + 1];
const publishing = process.argv.includes('--published') ? publishedAs : undefined;

const before: RuleSet | undefined = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
const head = {
  version: rulesVersion,
  specification,
  since: before?.since ?? new Date().toISOString().slice(0, 10),
  published: before?.published ?? publishing ?? null,
};
const now = setOf(head, catalogue, Object.values(clauses));
const changes = before === undefined ? [`${Object.keys(now.rules).length} rules`] : difference(before, now);

if (before?.published != null && changes.length > 0) {
  process.stderr.write(
    `${changes.join('\n')}\nSet ${rulesVersion} was published with Touchstone ${before.published}: raise \`rulesVersion\` in suites/index.ts,\nadd ${Number(rulesVersion) + 1}.json to suites/sets/kept.ts (the oldest of four goes), and freeze again.\n`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(path, `${JSON.stringify(now, undefined, 2)}\n`);
  process.stdout.write(
    `${changes.map((each) => `${each}\n`).join('')}suites/sets/${rulesVersion}.json: ${now.digest}\n`,
  );
}
