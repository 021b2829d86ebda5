/** `npm run docs -- --base /below/`: the documentation as a folder `site`, which any static host takes. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });
const out = join(import.meta.dirname, '../../site');
build(out, values.base);
process.stdout.write(`${out}: the documentation, to be served below ${values.base}\n`);
