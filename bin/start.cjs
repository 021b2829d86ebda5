'use strict';
// In a file of its own, because old versions of Node can't parse `import()`.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

// A signal before anything has begun, or after all is done, also exits with 130. A command that has begun something listens
// for itself: then this one steps back.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    if (process.listenerCount(name) === 1) process.exit(130);
  });
}

// Keeps what was compiled (and stripped of types) between starts; does nothing where it can't.
enableCompileCache();

// With NODE_DEBUG, undici prints every address that it calls; one of the rules sends a key in the query.
const util = require('node:util');
const { debuglog } = util;
util.debuglog = (name, ...rest) => {
  const log = debuglog(name, ...rest);
  if (!name.startsWith('undici')) return log;
  const withoutQueries = (...words) =>
    log(...words.map((word) => (typeof word === 'string' ? word.replace(/\?\S*/g, '?…') : word)));
  return Object.defineProperty(withoutQueries, 'enabled', { get: () => log.enabled });
};

// In a checkout the source runs as it is; a package holds what was built of it.
const source = existsSync(join(__dirname, '../src/cli/main.ts'));
const main = source ? import('../src/cli/main.ts') : import('../dist/src/cli/main.js');

main
  .then(({ main }) => main(process.argv.slice(2)))
  .catch((error) => {
    const says = error instanceof Error ? error.message : String(error);
    process.stderr.write(`touchstone: cannot start, because the installation is broken: ${says}\n`);
    if (process.env.TOUCHSTONE_DEBUG === '1') process.stderr.write(`${error?.stack}\n`);
    process.exitCode = 3;
  });
