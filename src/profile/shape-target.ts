/** What a run starts and stops by itself: a command, a container or a compose project. Which fields go together is checks-target.ts's matter. */
import * as z from 'zod';
import { byteCount, duration } from './scalars.ts';
import { flag, record, text, whole } from './shape-parts.ts';

const aDuration = 'a duration such as 250ms, 10s, 2m or 1h, at most 24h';
const lasting = (says: string) =>
  z
    .union([z.string(), z.number()], { error: aDuration })
    .refine((value) => duration(value) !== undefined, { error: aDuration })
    .optional()
    .describe(says);

/** Of a container's memory, which may well be more than of an answer's body. */
export const mostMemory = 2 ** 44;
const aSize = 'a size such as 512MB or 2GiB, at least 6MB';
const aList = 'a list of words, such as [./my-service, --port, "{port}"]';
const wordList = z.array(z.string({ error: 'text; put numbers in quotes' }), { error: aList }).min(1, { error: aList });
const aPath = 'a path that begins with /';
const path = z.string({ error: aPath }).regex(/^\/[^\s?#]*$/, { error: aPath });
const aStatus = 'a status from 100 to 599, or a list of them';
const status = whole(100, 599, aStatus);

const aSecond = 'false, or a mapping with `env`';

const env = z
  .record(
    z.string(),
    z.union([z.string(), z.null()], { error: 'text; put numbers in quotes; leave it empty to remove the variable' }),
    {
      error: 'a mapping of names to values',
    },
  )
  .optional();

export const targetShape = record({
  command: z
    .union([wordList, text(aList)], { error: aList })
    .optional()
    .describe('A program and its arguments, as a list. {port} becomes the port to listen on.'),
  shell: flag('The command is one text for /bin/sh, not a list. Default: false.'),
  folder: text('the path of a folder')
    .optional()
    .describe('Where to run the command, relative to the profile. Default: the folder of the profile.'),
  container: text('the name of an image').optional().describe('An image to run as a container, by testcontainers.'),
  arguments: wordList.optional().describe('The arguments of the container, instead of those of its image.'),
  memory: z
    .union([z.string(), z.number()], { error: aSize })
    .refine((value) => (byteCount(value, mostMemory) ?? 0) >= 6e6, { error: aSize })
    .optional()
    .describe('How much memory the container may use, such as 512MB. Default: no limit.'),
  cpus: z
    .number({ error: 'a number of processors such as 1.5' })
    .min(0.01, { error: 'at least 0.01 processors' })
    .max(1024, { error: 'at most 1024 processors' })
    .optional()
    .describe('How many processors the container may use, such as 1.5. Default: no limit.'),
  compose: text('the path of a compose file').optional().describe('A compose file, relative to the profile.'),
  service: text('the name of a service').optional().describe('The service of the compose file to call.'),
  env: env.describe(
    'Environment variables of the service; for compose: of the file. {port} is filled in. Values from ${env:…} stay secret. A command also has the environment of Touchstone; an empty value removes a variable.',
  ),
  port: whole(1, 65535, 'a port from 1 to 65535')
    .optional()
    .describe('The port that the service listens on; of a container or compose service: the one inside.'),
  port_in_output: text('a regular expression with one group')
    .optional()
    .describe('Where the command writes its port: a regular expression whose first group is the port.'),
  base: path.optional().describe('The path before /v1 in the address of the service. Default: nothing.'),
  https: flag('The service speaks https. Default: false.'),
  ready: record({
    path: path
      .optional()
      .describe('The path to call until the service is ready. Default: /v1/auth/verify after the base.'),
    status: z
      .union([status, z.array(status).min(1, { error: aStatus })], { error: aStatus })
      .optional()
      .describe('The status of a ready service, or a list of them. Default: any below 500.'),
    within: lasting('How long it may take. Default: 60s.'),
  })
    .optional()
    .describe('When the service counts as started.'),
  stop: lasting('How long the service may take to stop before it is killed. Default: 5s.'),
  restart: z
    .union([z.boolean(), z.array(text('the name of a service')).min(1)], {
      error: 'true, false, or a list of services of the compose file',
    })
    .optional()
    .describe('false: do not restart it. For compose: the services to restart. Default: true, all of them.'),
  second: z
    .union(
      [
        z.boolean().refine((value) => !value, { error: aSecond }),
        record({ env: env.describe('Changes of its environment; an empty value removes a variable.') }),
      ],
      {
        error: aSecond,
      },
    )
    .optional()
    .describe(
      'The second instance, which runs without an admin token. Default: the same without the variables that hold the admin token.',
    ),
  store: record({
    path: text('a path')
      .optional()
      .describe('The file or folder in which the service stores its keys; for a container: inside it.'),
    command: wordList
      .optional()
      .describe('A program that prints everything stored, such as a database dump; for a container: run inside it.'),
    service: text('the name of a service')
      .optional()
      .describe('The compose service that has it. Default: the one that is called.'),
    here: flag('The path or command is on this machine, although the service is in a container.'),
  })
    .optional()
    .describe('Where the keys are stored: Touchstone checks that it holds no plaintext.'),
});

export type WrittenTarget = z.output<typeof targetShape>;
