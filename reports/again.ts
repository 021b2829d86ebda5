/** How to see something again: the request of a service, or the start of a client. */
import type { Exchange, RunHeader } from '../src/vocabulary.ts';
import { type Replay, replay } from './curl.ts';
import { word } from './shell.ts';

export function again(header: RunHeader, exchange: Exchange, rule?: string): Replay {
  if (header.between !== undefined && rule?.startsWith('client.')) {
    const command = ['touchstone', 'between', header.target, '--only', rule].map((each) => word([each])).join(' ');
    return { command, notes: ['let the client do the same through it'] };
  }
  if (header.client === undefined) return replay(exchange, header.target);
  const only = rule === undefined ? [] : ['--only', rule];
  const { name, command } = header.profile;
  const depth = header.depth === 'thorough' ? ['--depth', header.depth] : [];
  const profile = name === 'the command line' ? [] : ['-p', name];
  const program = command ?? (profile.length === 0 ? header.target.split(' ') : []);
  const own = [...only, ...depth, ...profile, ...(program.length === 0 ? [] : ['--', ...program])];
  return { command: ['touchstone', 'client', ...own].map((each) => word([each])).join(' '), notes: [] };
}
