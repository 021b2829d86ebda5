/** All keys that a run has made and revoked are refused at its end, whatever was made, changed and revoked after them. */
import { type Exchange, expectStatus, type Key, rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { isLetIn, verifyingUntilRefused } from '../../language/issued-keys.ts';

/** Of more, each n-th is looked at, and the first and the last of all. */
const most = 150;
const atOnce = 4;
const newOnes = 12;
const enough = 3;

const someOf = (keys: readonly Key[]): readonly Key[] =>
  keys.length <= most
    ? keys
    : Array.from({ length: most }, (_, at) => keys[Math.round((at * (keys.length - 1)) / (most - 1))]!);

export const revokedToTheEnd = rule({
  id: 'admin.revoked-to-the-end',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke'],
  without: everything,
  // What is done after a revocation may undo it.
  alone: 'end',
  async ask(ask) {
    const { admin } = ask;
    const keys = [...someOf(admin.revoked())];
    // Who uses the places of revoked keys for new ones may leave something of the old ones there.
    await Promise.all(Array.from({ length: newOnes }, async () => admin.create()));
    const verified: Exchange[] = [];
    // Each has the time that a revocation may take; where some had it in vain, no others are waited for.
    while (keys.length > 0 && verified.filter(isLetIn).length < enough)
      verified.push(...(await Promise.all(keys.splice(0, atOnce).map((key) => verifyingUntilRefused(ask)(key)))));
    return { verified };
  },
  given: ({ verified }) => [inapplicableIf(verified?.length === 0, 'no key that this run made was revoked before')],
  // How it is refused is judged by another rule.
  judge: ({ verified }) =>
    verified
      .filter(isLetIn)
      .flatMap((exchange) => [...expectNoValidKey(exchange), ...expectStatus(exchange, 401)].slice(0, 1)),
  fix: 'Let nothing that happens later bring a revoked key back: no new key in its place, and no change of another one.',
});
