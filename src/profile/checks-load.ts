/** What the section about load demands of the rest of a profile. */
import type { Json } from '../model/json.ts';
import { actorEntries, members } from './checks.ts';
import { suggest } from './nearest.ts';
import type { Problems } from './problems.ts';

export function checkLoad(all: { readonly [key: string]: Json }, problems: Problems): void {
  const load = members(all.load);
  const keys = Object.keys(members(all.keys));
  for (const [at, name] of (Array.isArray(load.keys) ? load.keys : []).entries())
    if (typeof name === 'string' && !keys.includes(name))
      problems.add(['load', 'keys', at], `there is no key \`${name}\`; ${suggest(name, keys)}`);
  const actors = [...actorEntries(all.actors)].flatMap(({ actor: { name } }) => (typeof name === 'string' ? name : []));
  if (typeof load.actor === 'string' && !actors.includes(load.actor))
    problems.add(['load', 'actor'], `there is no actor \`${load.actor}\`; ${suggest(load.actor, actors)}`);
  for (const name of Object.keys(members(load.latency)))
    if (!/^(p\d{1,2}(\.\d{1,3})?|max)$/.test(name))
      problems.add(['load', 'latency', name], 'is neither a percentile such as p99 nor max', 'key');
  for (const what of Object.keys(members(load.mix))) {
    const name = what.replace(/^read /, '');
    if (name !== 'verify' && !actors.includes(name))
      problems.add(['load', 'mix', what], `there is no actor \`${name}\`; ${suggest(name, actors)}`, 'key');
  }
}
