#!/usr/bin/env node
'use strict';
// Old syntax on purpose: a user with too old a Node gets a sentence, not a SyntaxError.
const wanted = '^22.22.0 || ^24.11.0 || >=26.0.0';

const parts = process.versions.node.split('.');
const major = Number(parts[0]);
const minor = Number(parts[1]);

if (!((major === 22 && minor >= 22) || (major === 24 && minor >= 11) || major >= 26)) {
  process.stderr.write(`Touchstone needs Node ${wanted}; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  require('./start.cjs');
}
