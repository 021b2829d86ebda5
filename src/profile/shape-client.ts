/** A program that calls the service: how it is started, what it gets, and how it reports the outcome of a run. */
import * as z from 'zod';
import { duration } from './scalars.ts';
import { jsonObject, record, text, whole } from './shape-parts.ts';

const aDuration = 'a duration such as 250ms, 10s, 2m or 1h, at most 24h';
const aList = 'a list of words, such as [python, examples/run.py]';
const anExit = 'an exit code from 0 to 255, or a list of them';
const exitCode = whole(0, 255, anExit);
const aPattern = 'a regular expression';

const saying = (what: string) =>
  record({
    exit: z
      .union([exitCode, z.array(exitCode).min(1)], { error: anExit })
      .optional()
      .describe('Its exit code, or some of them.'),
    output: text(aPattern)
      .refine(isPattern, { error: aPattern })
      .optional()
      .describe('A regular expression that its standard output fits, anywhere in it.'),
  })
    .refine(({ exit, output }) => exit !== undefined || output !== undefined, { error: '`exit`, `output` or both' })
    .optional()
    .describe(what);

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'm');
    return true;
  } catch {
    return false;
  }
}

export const clientShape = record({
  command: z
    .array(z.string({ error: 'text; put numbers in quotes' }), { error: aList })
    .min(1, { error: aList })
    .describe(
      'The program and its arguments, without a shell. {base}, {key} (or {key_file}), {actor}, {input} and {input_file} are filled in.',
    ),
  folder: text('the path of a folder')
    .optional()
    .describe('Where it is run, relative to the profile. Default: the folder of the profile.'),
  env: z
    .record(z.string(), z.string({ error: 'text; put numbers in quotes' }), { error: 'a mapping of names to values' })
    .optional()
    .describe('Its environment, filled in like the command. Default: BASE_URL, API_KEY, ACTOR, INPUT and INPUT_FILE.'),
  stdin: text('text')
    .optional()
    .describe('What it reads on standard input, filled in like the command. Default: nothing.'),
  says: record({
    complete: saying('The run is complete.'),
    partial: saying('The run is PARTIAL.'),
    failed: saying('The run failed.'),
  })
    .optional()
    .describe(
      'How it reports the outcome of a run; the first that matches, in this order. Default: a JSON line with `outcome`, else exit code 0, 2, 1.',
    ),
  within: z
    .union([z.string(), z.number()], { error: aDuration })
    .refine((value) => duration(value) !== undefined, { error: aDuration })
    .optional()
    .describe('The longest that it may take for one question, from its first call on. Default: 30s.'),
  actor: text('the name of an actor').optional().describe('The actor that it has to run. Default: web-harvest.'),
  input: jsonObject('The input that it is given.').optional(),
});

export type WrittenClient = z.output<typeof clientShape>;
