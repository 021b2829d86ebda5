/** What rules leave alone because a service may well do it: each gate keeps a lawful service from being accused, or from no verdict at all. */
import { expect, test } from 'vitest';
import type { Call, Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue, rulesVersion } from '../index.ts';

async function verdictOf(id: string, overlay: Overlay): Promise<string | undefined> {
  const asking = { rules: catalogue.filter((rule) => rule.id === id), version: rulesVersion, specification: 'none' };
  const { findings } = await tryOn(asking, { name: 'free', overlays: [overlay] }, { depth: 'quick', seed: 1 });
  return findings.map((each) => each.verdict).join();
}

const isRestricted = ({ route: { name } }: Call): boolean => ['market-scan', 'place-lookup'].includes(name ?? '');

const accepts = (call: Call): string => call.decide.headerValues(call, 'accept')[0] ?? '';

const lawful: readonly (readonly [string, string, Overlay])[] = [
  [
    'restricted actors read the first of their sources alone',
    'partial.status',
    (base) => ({ readSources: (call, urls) => base.readSources(call, isRestricted(call) ? urls.slice(0, 1) : urls) }),
  ],
  [
    'who rules JSON out gets 406 and a page',
    'error.json-whatever-accepted',
    (base) => ({
      respond: (call, status, body, headers) =>
        /json|\*\/\*/.test(accepts(call)) || accepts(call) === ''
          ? base.respond(call, status, body, headers)
          : { ...base.respond(call, 406, body, headers), body: '<p>JSON is all there is</p>' },
    }),
  ],
  [
    'methods that it does not know get 501',
    'route.asked-in-passing',
    (base) => ({
      errorStatus: (call, refusal) => (refusal.kind === 'method-not-allowed' ? 501 : base.errorStatus(call, refusal)),
    }),
  ],
  [
    'keys have at least one feature',
    'admin.created-key-works',
    (base) => ({
      validate: (call, schema, input) => [
        ...base.validate(call, schema, input),
        ...(call.route.kind === 'admin-keys' && (input as { features?: unknown[] }).features?.length === 0
          ? [{ path: 'features', keyword: 'minItems', message: 'must not be empty' }]
          : []),
      ],
    }),
  ],
];

test.each(lawful)('%s: %s passes', async (_, id, overlay) => {
  expect(await verdictOf(id, overlay)).toBe('pass');
});
