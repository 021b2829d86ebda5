/** A program that calls the service, from what was written down. */
import { clientOutcomes, type ProfileClient, usualClient } from './profile-client.ts';
import { duration } from './scalars.ts';
import type { WrittenClient } from './shape-client.ts';

export function resolveClient(written: WrittenClient): ProfileClient {
  const { command, env, stdin, says, within, actor, input } = written;
  return {
    command,
    folder: written.folder ?? '.',
    env: env ?? usualClient.env,
    ...(stdin === undefined ? {} : { stdin }),
    ...(says === undefined ? {} : { says: sayings(says) }),
    withinMs: within === undefined ? usualClient.withinMs : (duration(within) ?? usualClient.withinMs),
    actor: actor ?? usualClient.actor,
    input: input ?? usualClient.input,
  };
}

const sayings = (says: NonNullable<WrittenClient['says']>): NonNullable<ProfileClient['says']> =>
  clientOutcomes.flatMap((outcome) => {
    const when = says[outcome];
    if (when === undefined) return [];
    const { exit, output } = when;
    return [
      {
        outcome,
        when: {
          ...(exit === undefined ? {} : { exit: typeof exit === 'number' ? [exit] : exit }),
          ...(output === undefined ? {} : { output }),
        },
      },
    ];
  });
