/** What names a key in the admin interface opens nothing: it is in lists and logs. */
import { rule, type Secret } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { inapplicableIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey } from '../../language/issued-keys.ts';

export const identifierIsNoKey = rule({
  id: 'admin.identifier-is-no-key',
  clause: clauses.invalidKeyIs401,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    const { issued, key } = yield* aKey(ask);
    yield { valid: await ask.verify({ key }) };
    const id = issued.id === undefined || holds(issued.id, key.secret) ? undefined : issued.id;
    yield { exchange: id === undefined ? null : await ask.verify({ key: id }) };
  },
  given: ({ created, valid, exchange }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(valid, 'verifying a new key'),
    inapplicableIf(exchange === null, 'the identifier is the key itself, or holds it'),
  ],
  judge: ({ exchange }) => (exchange === null ? [] : expectNoValidKey(exchange)),
  fix: 'Look keys up by the hash of the whole key alone: an identifier is no secret.',
});

/** Some have no other name for a key than the key. */
function holds(id: Secret, key: Secret): boolean {
  let found = false;
  key.derive('compared', (value) => {
    id.derive('compared', (name) => {
      found = name.includes(value);
      return name;
    });
    return value;
  });
  return found;
}
