/**
 * The profile as it is written down. Only kinds and forms are checked here; what one line demands of another is in
 * checks.ts. Every `error` is the phrase after "expected", so that explain.ts can add what was found.
 */
import * as z from 'zod';
import { byteCount, duration, isPointer } from './scalars.ts';
import { adminShape } from './shape-admin.ts';
import { clientShape } from './shape-client.ts';
import { limitsShape } from './shape-limits.ts';
import { loadShape } from './shape-load.ts';
import { flag, jsonObject, record, text, whole } from './shape-parts.ts';
import { targetShape } from './shape-target.ts';

const aDuration = 'a duration such as 250ms, 10s, 2m or 1h, at most 24h';
const lasting = (says: string) =>
  z
    .union([z.string(), z.number()], { error: aDuration })
    .refine((value) => duration(value) !== undefined, { error: aDuration })
    .optional()
    .describe(`${says} A duration such as 250ms, 10s, 2m, 1h, or a number of seconds.`);

const aSize = 'a size such as 64kB or 8MB, at most 1GiB';
const anAddress = 'an address such as http://127.0.0.1:8080';

const keyName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/)
  .refine((name) => name !== 'admin-token' && name !== 'disabled-key');

const secretText = (says: string) => text(`text such as "\${env:NAME}"`).describe(says);

const key = record({
  value: secretText(`The API key, as "\${env:NAME}" or "\${file:PATH}". Begins with vk_live_ or vk_test_.`),
  tier: text('the name of a tier; put it in quotes if it looks like a number')
    .optional()
    .describe('The tier of the key: compared with what the service reports.'),
  features: z
    .array(text('the name of a feature'), { error: 'a list of features' })
    .optional()
    .describe('All features of the key, besides those of its tier. Default: unknown.'),
  expendable: flag(
    'The run may revoke this key permanently. It shows what revocation means for keys that the run did not create.',
  ),
  id: text('the identifier of a record, in quotes where it looks like a number')
    .optional()
    .describe('Of an expendable key: the identifier of its record, which {id} takes.'),
  role: z
    .enum(['entitled', 'restricted'])
    .optional()
    .describe('entitled (default): may run the actors below. restricted: lacks access to the restricted actor.'),
  test: flag('Allows the value to be here in plain text, because it protects nothing.'),
});

const actorFields = {
  name: text('the name of an actor').describe('The name in the path: /v1/actors/{name}.'),
  input: jsonObject(
    'The input of the actor. It may contain {{nonce}}, {{source.ok}}, {{source.ok2}}, {{source.slow}} and {{source.broken}}; it appears in the report.',
  ).optional(),
  schema: jsonObject('The JSON Schema of the input, if the service does not show it.').optional(),
  schema_at: z
    .string({ error: 'a JSON Pointer' })
    .refine(isPointer, { error: 'a JSON Pointer such as /data/schema' })
    .optional()
    .describe('Where the schema is in the answer of GET /v1/actors/{name}: a JSON Pointer. Default: the usual places.'),
};

const actors = 'an actor (a mapping with `name`), or a list of them';
const oneOrMore = <T extends z.ZodType>(actor: T, says: string) =>
  z
    .union([actor, z.array(actor).min(1, { error: actors })], { error: actors })
    .optional()
    .describe(`${says} One, or a list.`);

const feature = text('the name of a feature');
const needs = z
  .union(
    [
      text('the name of a tier'),
      record({
        tier: text('the name of a tier').optional().describe('This tier, or a higher one by the order of `tiers`.'),
        feature: feature.optional().describe('A feature that the key must have.'),
        features: z.array(feature, { error: 'a list of features' }).optional().describe('Several: it must have all.'),
      }),
    ],
    { error: 'the name of a tier, or a mapping with `tier`, `feature` or `features`' },
  )
  .describe('What a key must have to run it. Which of the keys may and which may not follows from this.');

const plainActor = record(actorFields);
const restrictedActor = record({
  ...actorFields,
  needs: needs.optional(),
  by: z
    .enum(['tier', 'feature'])
    .optional()
    .describe('What the access depends on, where `needs` does not say it: the tier alone, or a feature.'),
  entitled: text('the name of a key').optional().describe('The key that may run it. Default: the first entitled key.'),
  restricted: text('the name of a key')
    .optional()
    .describe('The key that may not. Default: the first key of role restricted.'),
});

const aKey = `a mapping with \`value\`, or text such as "\${env:NAME}"`;
const aHost = 'a host name or address, without scheme or path';

export const profileShape = record({
  $schema: z.string().optional().describe('For editors only.'),
  address: z
    .string({ error: anAddress })
    .optional()
    .describe('The base address of the service: http or https, a path prefix is allowed, without /v1.'),
  keys: z
    .record(keyName, z.union([key, secretText('The API key alone, in short.')], { error: aKey }), {
      error: 'a mapping of names to keys',
    })
    .optional()
    .describe('API keys by a name of your choice. Reports show the name, never the value.'),
  tiers: z
    .array(text('the name of a tier; put it in quotes if it looks like a number'), {
      error: 'a list of tiers, the lowest first',
    })
    .optional()
    .describe('All tiers, the lowest first: limits must not fall from one to the next.'),
  grants: z
    .record(text('the name of a tier'), z.array(text('the name of a feature')), {
      error: 'a mapping of tiers to lists of features',
    })
    .optional()
    .describe('The features that each tier grants by itself.'),
  actors: record({
    clean: oneOrMore(plainActor, 'An actor that works with its input.'),
    echo: oneOrMore(plainActor, 'An actor whose items contain its input: {{nonce}} identifies the request.'),
    sources: oneOrMore(plainActor, 'An actor that reads addresses of its input: {{source.ok}}, {{source.ok2}}.'),
    restricted: oneOrMore(restrictedActor, 'An actor that some key may not run.'),
    crashing: oneOrMore(plainActor, 'An actor that fails inside with this input.'),
    empty: oneOrMore(plainActor, 'An actor that works with this input, and finds nothing: its run has no items.'),
  })
    .optional()
    .describe('The actors that the run may use, by role.'),
  admin: adminShape.optional().describe('The admin interface, whose payloads the specification does not show.'),
  disabled: record({
    address: z.string({ error: anAddress }).describe('The base address of that instance.'),
    key: secretText(`A key that this instance knows, as "\${env:NAME}".`).optional(),
    test: flag('Allows the key to be here in plain text.'),
  })
    .optional()
    .describe('A second instance of the service that runs without an admin token.'),
  target: targetShape
    .optional()
    .describe('Instead of an address: what the run starts, checks and stops. One of command, container and compose.'),
  client: clientShape
    .optional()
    .describe('A program that calls the service, for `touchstone client`. A profile with it needs no address.'),
  sources: record({
    listen: text(aHost).optional().describe('The address that the source server listens on. Default: 127.0.0.1.'),
    port: whole(0, 65535, 'a port from 0 to 65535').optional().describe('Its port. Default: 0, any free one.'),
    advertise: text(aHost)
      .refine((host) => !/[/\s@?#]/.test(host), { error: aHost })
      .optional()
      .describe('The host, or host:port, by which the service reaches it. Default: the listen address.'),
    body: text('text that contains {{token}}')
      .optional()
      .describe('What a working source answers; {{token}} identifies it.'),
    content_type: text('a content type').optional().describe('Default: application/json.'),
  })
    .optional()
    .describe('The source server that Touchstone runs for actors that read addresses.'),
  bounds: record({
    timeout: lasting('For one exchange. Default: 10s.'),
    deadline: lasting('For one rule in one context. Default: 60s.'),
    patience: lasting('How long to wait in total for 429s outside the limit rules. Default: 30s.'),
    max_wait: lasting('The longest Retry-After to wait for. Default: 2m.'),
    upstream: lasting(
      'A run with a slow source must be answered within this, or gets a warning. Default: no bound; slow runs may take 30s.',
    ),
    revocation: lasting('A revoked key must be refused after this. Default: 5s.'),
    max_body: z
      .union([z.string(), z.number()], { error: aSize })
      .refine((value) => byteCount(value) !== undefined, { error: aSize })
      .optional()
      .describe('How much of an answer to read. A size such as 64kB. Default: 8MB.'),
  })
    .optional()
    .describe('How long and how much.'),
  limits: limitsShape.optional().describe('The budget for probing limits, and what the limits are documented to be.'),
  load: loadShape
    .optional()
    .describe('The load that may be sent to the service, and what the service promises under it.'),
  headers: z
    .record(z.string(), z.string({ error: 'text; put numbers in quotes' }), {
      error: 'a mapping of header names to values',
    })
    .optional()
    .describe(`Added to every request, for a gateway in front of the service. Values from \${env:…} stay secret.`),
  tls: record({
    ca: text('the path of a PEM file')
      .optional()
      .describe('A PEM file with the certificate authority, relative to the profile.'),
    insecure: flag('Accepts any certificate. Use it only if nothing is at stake.'),
    servername: text('a host name')
      .optional()
      .describe('The name in the certificate, if it differs from the host of the address.'),
  })
    .optional()
    .describe('How an https address is trusted.'),
  identify: flag(
    'Every request says User-Agent: Touchstone, for services that admit only callers that they know. Default: false, like ordinary clients.',
  ),
  strict: flag('Warnings are failures. Default: false.'),
  complete: flag('Untested and inconclusive rules are failures. Default: false.'),
  concurrency: whole(1, 256, 'a whole number from 1 to 256')
    .optional()
    .describe('How many requests at once. Default: 8.'),
});

/** What `defineProfile` takes, and what YAML holds. */
export type ProfileInput = z.input<typeof profileShape>;
/** The same after interpolation and checks. */
export type WrittenProfile = z.output<typeof profileShape>;
export type WrittenActor = z.output<typeof restrictedActor>;
