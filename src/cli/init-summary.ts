/** What `init` says when it is done: what it saw, what it wrote, what comes next. Pure. */
import { lasting, list } from '../../reports/text.ts';
import type { PipelineFile } from '../init/files.ts';
import type { Seen, SeenActor } from '../init/seen.ts';

export interface Written {
  /** `kept`: it was there, and stays as it was. */
  readonly files: readonly { readonly path: string; readonly kept?: true }[];
  readonly pipeline?: PipelineFile;
}

export function initSummary(seen: Seen, { files, pipeline }: Written, variable: string, isSet: boolean): string {
  const good = seen.actors.filter(({ came }) => came === undefined);
  const lines = [
    `${seen.address}: ${seen.signs.join('; ')}.`,
    ...seen.keys.map(({ name, variable, works, tier, came }) =>
      works
        ? `Key ${name} (${variable}): ${came === undefined ? 'works' : `unknown, because verifying it got ${came}`}${tier === undefined ? '' : `, tier ${tier}`}.`
        : `Key ${name} (${variable}): refused: ${came}.`,
    ),
    ...seen.actors.map((actor) => `Actor ${actor.name}: ${inWords(actor).replace(/\.$/, '')}.`),
    `Error codes: ${seen.codes.length === 0 ? 'none met' : seen.codes.join(', ')}.`,
    `Admin interface: ${adminInWords[seen.admin]}.`,
    `Rate limits: ${limitsInWords(seen)}.`,
    '',
    ...files.map(({ path, kept }) => (kept ? `${path} exists and stays unchanged.` : `Wrote ${path}.`)),
    ...(pipeline === undefined ? [] : [pipeline.remaining]),
    '',
    ...nextSteps(seen, good.length, variable, isSet),
  ];
  return lines.join('\n');
}

const adminInWords: Readonly<Record<Seen['admin'], string>> = {
  open: 'the token opens it',
  refuses: 'enabled, and refuses calls without a token',
  disabled: 'looks disabled',
  unsure: 'unknown; it gave no clear answer',
};

function limitsInWords({ limits: { near, waitedMs } }: Seen): string {
  if (!near) return 'not near';
  return waitedMs > 0 ? `near; this run waited ${lasting(waitedMs)}` : 'near';
}

function inWords({ came, schemaAt, schemaFault, input, runs }: SeenActor): string {
  if (came !== undefined) return `not usable: ${came}`;
  if (schemaAt === undefined) return 'reading it shows no schema';
  if (schemaFault !== undefined) return `its schema cannot be used: ${schemaFault}`;
  if (input === undefined) return 'no input could be made from its schema';
  if (runs === undefined) return 'a valid input was made from its schema, but not tried';
  if (runs.failed !== undefined) return `run with an input from its schema it got ${runs.failed}`;
  const good = [
    ...(runs.clean === undefined ? [] : ['works']),
    ...(runs.echo === undefined ? [] : ['echoes its input']),
    ...(runs.sources === undefined ? [] : ['reads the addresses in its input']),
    ...(runs.reads ? ['reads the addresses in its input, but does not show what it found there'] : []),
    ...(runs.refusedTo === undefined ? [] : [`refuses the key ${runs.refusedTo}`]),
  ];
  return list(good);
}

function nextSteps({ keys }: Seen, usable: number, variable: string, isSet: boolean): string[] {
  const main = keys.find(({ role }) => role === 'entitled');
  return [
    ...(main === undefined || !isSet
      ? [`The key is read from the environment: read -rs ${variable} && export ${variable}`]
      : []),
    ...(usable === 0
      ? [
          'Most rules need an actor: name one in touchstone.yaml, or delete that file and run init again with --run --actor <name>.',
        ]
      : []),
    'Next: run touchstone doctor to see what can be tested, then touchstone check.',
  ];
}
