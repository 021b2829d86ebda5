/** What is not the whole of an issued key opens nothing: neither what names it in lists and logs, nor most of it. */
import { createHash } from 'node:crypto';
import { type Exchange, keyPrefixes, rule, type Secret } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { inapplicableIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey, sortsOfKeys } from '../../language/issued-keys.ts';
import { lastInTheOtherCase, wrongAtTheEnd } from '../../language/near-misses.ts';

const behindPrefix = (value: string): string => `${keyPrefixes.live}${value}`;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A record shows the hash, or the beginning of it: with the prefix of keys before it, it is no key either. */
const ofHash: readonly { readonly how: string; readonly of: (key: string) => string }[] = [
  { how: 'hash-behind-a-prefix', of: (key) => behindPrefix(hashOf(key)) },
  { how: 'preview-of-a-hash', of: (key) => behindPrefix(hashOf(key).slice(0, 8)) },
];

export const identifierIsNoKey = rule({
  id: 'admin.identifier-is-no-key',
  clause: clauses.invalidKeyIs401,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    const { issued, key } = yield* aKey(ask);
    yield { valid: await ask.verify({ key }) };
    const isAsked = issued.id !== undefined && !holds(issued.id, key.secret) && fitsAHeader(issued.id);
    const id = isAsked ? issued.id : undefined;
    yield { exchange: id === undefined ? null : await ask.verify({ key: id }) };
    const forgeries: Exchange[] = [];
    for (const forged of [
      ...(id === undefined || isKeyOf(id, key.secret) ? [] : [id.derive('behind-a-prefix', behindPrefix)]),
      ...ofHash.map(({ how, of }) => key.secret.derive(how, of)),
    ])
      forgeries.push(await ask.verify({ key: forged }));
    yield { forgeries };
  },
  given: ({ created, valid, exchange }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(valid, 'verifying a new key'),
    inapplicableIf(exchange === null, 'the identifier is the key itself, or holds it, or no header may hold it'),
  ],
  // Runs of other times forged nothing.
  judge: ({ exchange, forgeries = [] }) =>
    [...(exchange === null ? [] : [exchange]), ...forgeries].flatMap(expectNoValidKey),
  fix: 'Look keys up by the hash of the whole key alone: an identifier is no secret.',
});

/** Keys that are made are often looked up by other code than those of a configuration. */
export const issuedKeyIsWhole = rule({
  id: 'admin.issued-key-is-whole',
  clause: clauses.invalidKeyIs401,
  needs: ['admin.create'],
  without: everything,
  cases: ({ admin }) => sortsOfKeys(admin),
  async *ask(ask) {
    const { key } = yield* aKey(ask, ask.case.wanted);
    yield { valid: await ask.verify({ key }) };
    const nearly: Exchange[] = [];
    for (const nearMiss of [...wrongAtTheEnd, lastInTheOtherCase])
      nearly.push(await ask.verify({ key: nearMiss.of(key.secret) }));
    yield { nearly };
  },
  given: ({ created, valid }) => [showsKey(created), succeeds(valid, 'verifying a new key')],
  judge: ({ nearly }) => nearly.flatMap(expectNoValidKey),
  fix: 'Compare the whole of an issued key (by its hash), never part of it.',
});

/** A server may refuse letters beyond ASCII before the service sees them. */
function fitsAHeader(id: Secret): boolean {
  let fits = false;
  id.derive('read', (value) => {
    fits = /^[\x21-\x7e]+$/.test(value);
    return value;
  });
  return fits;
}

function compared(id: Secret, key: Secret, compare: (name: string, value: string) => boolean): boolean {
  let found = false;
  key.derive('compared', (value) => {
    id.derive('compared', (name) => {
      found = compare(name, value);
      return name;
    });
    return value;
  });
  return found;
}

/** Some have no other name for a key than the key, */
const holds = (id: Secret, key: Secret): boolean => compared(id, key, (name, value) => name.includes(value));

/** or than the key without its prefix. */
const isKeyOf = (id: Secret, key: Secret): boolean => compared(id, key, (name, value) => behindPrefix(name) === value);
