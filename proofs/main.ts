/**
 * `npm run prove`: everything that `npm test` has no time for, each once. Words choose parts; words after `--` go to the program of
 * the one part that is chosen; `--share` takes of each part what CI has time for; `--list` says what there is.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type Part, parts } from './parts.ts';

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'long'];
const given = process.argv.slice(2);
const cut = given.indexOf('--');
const { values, positionals: names } = readArgs(cut < 0 ? given : given.slice(0, cut));
const further = cut < 0 ? [] : given.slice(cut + 1);
// The reader of the list may close the pipe.
process.stdout.on('error', () => process.exit());
const out = (text: string): void => void process.stdout.write(`${text}\n`);

const unknown = names.filter((name) => !parts.some((part) => part.name === name));
if (values.help) {
  out('usage: npm run prove -- [--share] [part …]\n       npm run prove -- PART -- [what goes to its program]');
  out('       npm run prove -- --list');
} else if (values.list) {
  for (const { name, shows, takes } of parts) out(`${name.padEnd(11)} ${shows} (${takes})`);
} else if (unknown.length > 0 || (further.length > 0 && names.length !== 1)) {
  const why = unknown.length > 0 ? `there is no part ${unknown.join(', ')}` : 'arguments go to one part alone';
  process.stderr.write(`${why}; \`npm run prove -- --list\` says what there is\n`);
  process.exitCode = 2;
} else {
  const chosen = names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
  const took: string[] = [];
  const failed = chosen.filter((part) => {
    const from = performance.now();
    const isProven = prove(part);
    took.push(`${part.name} ${Math.round((performance.now() - from) / 1000)} s`);
    return !isProven;
  });
  out(`\ntook: ${took.join(', ')}`);
  out(
    `prove: ${chosen.length - failed.length} passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.map(({ name }) => name).join(', ')}` : ''}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function readArgs(args: readonly string[]) {
  const options = {
    list: { type: 'boolean' },
    share: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('.', 1)[0]}; \`npm run prove -- --help\` says how\n`);
    process.exit(2);
  }
}

function prove(part: Part): boolean {
  const { name, shows, tests, sideBySide, program, share, script } = part;
  out(`\n── ${name}: ${shows}`);
  const args = further.length > 0 ? further : values.share ? (share ?? []) : [];
  const ran = [
    ...(tests === undefined || further.length > 0
      ? []
      : [run([...vitest, ...(sideBySide ? ['--maxWorkers=100%'] : []), ...tests])]),
    ...(program === undefined || (values.share && share === null) ? [] : [run([...program, ...args])]),
    ...(script === undefined ? [] : [spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' }).status === 0]),
  ];
  return ran.every(Boolean);
}

function run(args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}
