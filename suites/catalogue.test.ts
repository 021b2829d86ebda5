/** The catalogue holds what was promised: every identifier of the reading, each tied to a clause, none twice. */
import { expect, test } from 'vitest';
import { areaOf, areas, type Clause, isObservation } from '../src/vocabulary.ts';
import { clauses } from './clauses/index.ts';
import { catalogue } from './index.ts';

/** The identifiers that are promised to be stable for ever, with their levels. */
const promised: Readonly<Record<string, string>> = {
  verify: 'valid-key R, missing-key R, invalid-key R, tier-as-declared R, tiers-differ R, further-fields O',
  auth: `run-without-key R, run-with-invalid-key R, read-without-key R, read-with-invalid-key R, refusal-does-no-work R,
    admin-token-is-no-key R, key-elsewhere O, header-name-case E, live-and-test-keys R, precedence O`,
  access: 'restricted-run R, restricted-key-is-valid R, entitled-run R, refusal-does-no-work R, restricted-read O',
  actor: `read R, schema-found O, schema-is-valid E, unknown-read R, unknown-run R, hostile-names E, reads-agree O`,
  run: `success-shape R, clean-run-is-not-partial R, answers-belong-to-requests R, keep-alive E, status-values O,
    success-code O, further-fields O`,
  input: `missing-field R, malformed-json R, not-an-object R, wrong-type R, wrong-type-is-named R, schema-violations R,
    invalid-input-code R, empty-body R, refusal-does-no-work R, unknown-property O, extreme-bodies E, content-types E`,
  partial: 'status R, has-items R, items-of-working-sources R, all-sources-fail R, does-not-stick R',
  upstream: 'timeout R, broken-source E, bounded E, recovers R',
  error: `shape-400 R, shape-401 R, shape-403 R, shape-404 R, shape-422 R, shape-429 R, shape-500 R, shape-502 R,
    shape-504 R, json-content-type E, names-the-actor R, internal-failure R, no-internals E, no-secrets E`,
  route: 'unknown R, no-version E, other-methods E, spelling O, head-and-options O',
  admin: `without-token R, wrong-token R, api-key-is-no-token R, right-token R, created-key-format R, created-key-works R,
    shown-once R, hash-is-sha-256 R, revoked-key R, bad-payloads E, error-shape E, survives-restart E,
    store-holds-no-plaintext R`,
  limit: `exists R, retry-after-present R, retry-after-is-seconds R, error-shape R, waiting-admits R,
    impatience-gains-nothing E, other-key-unaffected R, survives-reconnect R, follows-the-key E, scales-with-tier R,
    as-declared R, refusal-does-no-work R, which-routes O, model O, headers O`,
  address: `exists R, other-address-unaffected R, retry-after R, waiting-admits R, unauthenticated-limited E,
    forged-header E`,
  disabled: 'refuses-every-call R, answer-ignores-token R, looks-like-unknown-route O, data-interface-works R',
};

const levelOf = { R: 'required', E: 'expected', O: 'observed' } as const;

const all = Object.values<Clause>(clauses);

test('an identifier names one rule', () => {
  const ids = catalogue.map((each) => each.id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test('every promised rule is there, at its level', () => {
  const wanted = Object.entries(promised).flatMap(([area, list]) =>
    list.split(',').map((each) => {
      const [name, level] = each.trim().split(' ');
      return `${area}.${name} ${levelOf[level as keyof typeof levelOf]}`;
    }),
  );
  const there = catalogue.map((each) => `${each.id} ${each.clause.level}`);
  expect(wanted.filter((each) => !there.includes(each))).toEqual([]);
});

test('rules come in the order of their areas', () => {
  const order = catalogue.map((each) => areas.indexOf(areaOf(each.id)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
});

test('a rule rests on a clause of ours, and not on an untestable one', () => {
  const strangers = catalogue.filter((each) => !all.includes(each.clause) || each.clause.untestable !== undefined);
  expect(strangers.map((each) => each.id)).toEqual([]);
});

test('every required or expected clause that can be tested has a rule', () => {
  const kept = new Set<Clause>(catalogue.map((each) => each.clause));
  const bare = all.filter((each) => each.level !== 'observed' && each.untestable === undefined && !kept.has(each));
  expect(bare.map((each) => each.id)).toEqual([]);
});

test('every rule says what to look at', () => {
  for (const each of catalogue) expect(each.fix.length, each.id).toBeGreaterThan(20);
});

test('an observation rests on an observed clause, a judged rule on none', () => {
  for (const each of catalogue) expect(isObservation(each), each.id).toBe(each.clause.level === 'observed');
});

test('a clause is one sentence of its own, in one section', () => {
  const sayings = all.map((each) => each.says);
  expect(sayings.filter((each, at) => sayings.indexOf(each) !== at)).toEqual([]);
  for (const each of all) {
    expect(each.says, each.id).toMatch(/\.$/);
    expect(each.section, each.id).toMatch(/^(?:opening$|§\d|RFC \d|JSON Schema$|plain safety$)/);
  }
});

test('what restarts the service is asked last: in the middle of a run it would change what others compare', () => {
  const restarting = catalogue.filter(({ needs }) => needs.includes('admin.restart'));
  expect(restarting.length).toBeGreaterThan(4);
  expect(restarting.filter(({ alone }) => alone !== 'last').map(({ id }) => id)).toEqual([]);
});
