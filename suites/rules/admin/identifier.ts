/** What names a key in the admin interface opens nothing: it stands in lists and logs. */
import { Inapplicable, rule, type Secret } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey } from '../../language/issued-keys.ts';

export const identifierIsNoKey = rule({
  id: 'admin.identifier-is-no-key',
  clause: clauses.invalidKeyIs401,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    const { issued, key } = yield* aKey(ask);
    yield { valid: await ask.verify({ key }) };
    yield { exchange: issued.id === undefined ? null : await ask.verify({ key: unlessSame(issued.id, key.secret) }) };
  },
  given: ({ created, valid }) => [showsKey(created), showsIdentifier(created), succeeds(valid, 'verifying a new key')],
  judge: ({ exchange }) => (exchange === null ? [] : expectNoValidKey(exchange)),
  fix: 'Look keys up by the hash of the whole key alone: an identifier is no secret.',
});

/** Some have no other name for a key than the key. */
function unlessSame(id: Secret, key: Secret): Secret {
  key.derive('compared', (value) => {
    id.derive('compared', (other) => {
      if (other.includes(value)) throw new Inapplicable('the identifier is the key itself, or holds it');
      return other;
    });
    return value;
  });
  return id;
}
