/** How key management is spoken to: the specification shows its path and its credential, and nothing else. */
import * as z from 'zod';
import { isPointer, isToken } from './scalars.ts';
import { flag, json, record, text, whole } from './shape-parts.ts';

const aPath = 'a path such as /v1/admin/keys/{id}';
const path = z
  .string({ error: aPath })
  .regex(/^\/[^\s#]*$/, { error: aPath })
  .describe(
    'The path after the base address. {id} stands for the record, {tier}, {environment} and {features} for what the key gets.',
  );

const pointer = (says: string) =>
  z
    .string({ error: 'a JSON Pointer' })
    .refine((value) => isPointer(value), { error: 'a JSON Pointer such as /data/key' })
    .optional()
    .describe(`${says} A JSON Pointer into the answer of create.`);

const aStatus = 'a success status from 200 to 299, or a list of them';
const status = whole(200, 299, aStatus);

const operation = (method: string, says: string) => ({
  method: z
    .string({ error: 'a method such as POST' })
    .regex(/^[A-Z]{1,20}$/, { error: 'a method in capitals, such as POST' })
    .optional()
    .describe(`Default: ${method}.`),
  path: path.optional().describe(says),
  query: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()], { error: 'text, a number, true or false' }), {
      error: 'a mapping of names to values',
    })
    .optional()
    .describe('Added to the path. {id}, {tier}, {environment} and {features} are filled in.'),
  body: json(
    'The JSON body. {id}, {tier}, {environment} and "{features}" (which becomes a list) are filled in; in that of create {mark} too, a word by which `touchstone clean` finds the key in the list.',
  ).optional(),
  success: z
    .union([status, z.array(status).min(1, { error: aStatus })], { error: aStatus })
    .optional()
    .describe('The status of a success, or a list of them. Default: any 2xx.'),
});

const one = 'Default: the path of the interface with /{id} after it.';

export const adminShape = record({
  token: text(`text such as "\${env:NAME}"`)
    .optional()
    .describe(`The admin token, as "\${env:NAME}" or "\${file:PATH}".`),
  test: flag('Allows the token to be here in plain text.'),
  header: z
    .string({ error: 'the name of a header' })
    .refine((name) => isToken(name), { error: 'the name of a header' })
    .optional()
    .describe('Default: X-Admin-Token.'),
  path: path.optional().describe('The collection. Default: /v1/admin/keys.'),
  tier: text('the name of a tier')
    .optional()
    .describe('The tier of keys that the run creates, unless a rule needs another.'),
  features: z
    .array(text('the name of a feature'), { error: 'a list of features' })
    .optional()
    .describe(
      'The features of keys that the run creates, unless a rule needs others. Default: those that the actors need, where a request chooses features; unknown where none does.',
    ),
  environments: record({
    live: json('For a live key: text, true, or any other JSON value. Default: "live".').optional(),
    test: json('For a test key: text, false, or any other JSON value. Default: "test".').optional(),
  })
    .optional()
    .describe('The values of {environment}. "{environment}" alone in a string becomes the value as it is.'),
  create: record({
    ...operation('POST', 'Default: the path of the interface.'),
    key: pointer('Where the plaintext key is. Default: /key.'),
    id: pointer('Where the identifier for {id} is.'),
    show_tier: pointer('Where the tier is.'),
    hash: pointer('Where the SHA-256 of the key is, if the service shows it.'),
  })
    .optional()
    .describe('Creates a key.'),
  list: record(operation('GET', 'Default: the path of the interface.')).optional().describe('Lists the keys.'),
  read: record(operation('GET', one)).optional().describe('Reads one record.'),
  revoke: record(operation('DELETE', one))
    .optional()
    .describe('Revokes a key. The run revokes the keys that it created.'),
  change: record(operation('PATCH', one)).optional().describe('Changes a record.'),
});

export type WrittenAdmin = z.output<typeof adminShape>;
export type WrittenOperation = z.output<z.ZodObject<ReturnType<typeof operation>>>;
