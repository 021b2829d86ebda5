/** One client, in a process of its own: what judges two at once is late for both. Sends what is not as it must be to its parent. */
import { differencesOf, tryClient, type Variant } from './try.ts';

export interface Found {
  readonly found: readonly string[];
  readonly ms: number;
}

const { kills, ...variant } = JSON.parse(process.argv[2] ?? '{}') as Variant & { readonly kills: readonly string[] };
const tried = await tryClient(variant);
process.send?.({ found: differencesOf(tried, kills), ms: Math.round(tried.ms) } satisfies Found);
process.disconnect?.();
