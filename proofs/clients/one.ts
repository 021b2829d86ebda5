/** One client, in a process of its own: what judges two at once is late for both. Prints what is not as it must be, as JSON. */
import { differencesOf, tryClient, type Variant } from './try.ts';

const { kills, ...variant } = JSON.parse(process.argv[2] ?? '{}') as Variant & { readonly kills: readonly string[] };
const tried = await tryClient(variant);
process.stdout.write(`${JSON.stringify({ found: differencesOf(tried, kills), ms: Math.round(tried.ms) })}\n`);
