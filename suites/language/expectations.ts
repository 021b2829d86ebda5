/** Judgements that more than one rule passes. Pure: exchanges in, reasons out. */
import {
  type Exchange,
  expectJsonObject,
  expectMember,
  expectStatus,
  expectText,
  headerValues,
  isEqualButForCase,
  isEqualButForNormalForm,
  type Json,
  kindOf,
  member,
  note,
  type Reached,
  type Reason,
  statusFits,
  succeeded,
  unless,
  violation,
  warning,
  whatCame,
} from '../../src/vocabulary.ts';

/** The answer to a valid key: it says so, and which tier it has. */
export const expectVerified = (exchange: Exchange): readonly Reason[] =>
  unless(expectStatus(exchange, '2xx'), () =>
    unless(expectJsonObject(exchange), () => [
      ...expectMember(exchange, 'valid', true),
      ...expectText(exchange, 'tier'),
    ]),
  );

export const expectVerifiedWithTier = (exchange: Exchange, tier: string | null): readonly Reason[] =>
  unless(expectVerified(exchange), () => (tier === null ? [] : expectTier(exchange, tier)));

/** Names of tiers are not shown: in another normal form it is the same one, in another case it may be. */
export const isSameTier = (one: Json | undefined, other: Json | undefined): boolean =>
  typeof one === 'string' && typeof other === 'string' && isEqualButForNormalForm(one, other);

export function expectTier(exchange: Exchange, wanted: string, declared = false): readonly Reason[] {
  const tier = member(exchange, 'tier');
  if (isSameTier(tier, wanted)) return [];
  const weigh = typeof tier === 'string' && isEqualButForCase(tier, wanted) ? warning : violation;
  return [weigh(exchange, `\`tier\` to be "${wanted}"${declared ? ', as the profile declares' : ''}`, kindOf(tier))];
}

/** An invalid key at verify: 401, or a 2xx that says `valid: false`, which the field's type leaves room for. */
export function expectInvalidKey(exchange: Exchange): readonly Reason[] {
  if (succeeded(exchange) && member(exchange, 'valid') === false) {
    return [warning(exchange, '401', `${whatCame(exchange)} with \`valid: false\``)];
  }
  if (!succeeded(exchange)) return expectStatus(exchange, 401);
  return [violation(exchange, '401', `${whatCame(exchange)} with \`valid\`, ${kindOf(member(exchange, 'valid'))}`)];
}

/** The same where another rule's concern is how an invalid key is refused: `valid: false` is only noted. */
export const expectNoValidKey = (exchange: Exchange): readonly Reason[] =>
  expectInvalidKey(exchange).map((reason) => (reason.weight === 'warning' ? { ...reason, weight: 'note' } : reason));

export function expectRunResult(exchange: Exchange): readonly Reason[] {
  const items = member(exchange, 'items');
  const status = member(exchange, 'status');
  return unless(expectJsonObject(exchange), () => [
    ...(Array.isArray(items) ? [] : [violation(exchange, '`items` to be an array', kindOf(items))]),
    ...(typeof status === 'string' ? [] : [violation(exchange, '`status` to be a string', kindOf(status))]),
  ]);
}

export const isPartial = (exchange: Exchange): boolean =>
  succeeded(exchange) && member(exchange, 'status') === 'PARTIAL';

export function expectUsableItems(exchange: Exchange): readonly Reason[] {
  if (!isPartial(exchange)) return [];
  const items = member(exchange, 'items');
  return Array.isArray(items) && items.length > 0
    ? []
    : [violation(exchange, 'at least one item in a PARTIAL result', `\`items\`, ${kindOf(items)}`)];
}

/** Some sources failed, others gave items. `sure`: everybody would agree that the source failed. */
export function expectPartial(exchange: Exchange, sure: boolean): readonly Reason[] {
  const weigh = sure ? { grave: violation, light: warning } : { grave: note, light: note };
  if (isPartial(exchange)) return [];
  if (succeeded(exchange)) {
    const came = kindOf(member(exchange, 'status'));
    return [weigh.grave(exchange, '`status` to be "PARTIAL" when a source failed', came)];
  }
  if (statusFits(exchange, [502, 504])) {
    return [weigh.light(exchange, 'the items of the sources that worked, with status PARTIAL', whatCame(exchange))];
  }
  return [weigh.grave(exchange, 'a 2xx that says PARTIAL', whatCame(exchange))];
}

/** Every source failed: because they were too slow, or otherwise. */
export function expectFailureOfSources(exchange: Exchange, tooSlow: boolean): readonly Reason[] {
  if (statusFits(exchange, [502, 504])) return [];
  const empty = expectUsableItems(exchange);
  if (empty.length > 0) return empty;
  const came = isPartial(exchange) ? `${whatCame(exchange)}, PARTIAL` : whatCame(exchange);
  if (!tooSlow) return [warning(exchange, '502 or 504 when every source is broken', came)];
  const weigh = succeeded(exchange) && !isPartial(exchange) ? note : violation;
  return [weigh(exchange, '502 or 504 when every source is too slow', came)];
}

export const expectNoWork = ({ refused, reached }: { refused: Exchange; reached: Reached }): readonly Reason[] =>
  reached.times === 0 ? [] : [violation(refused, 'a refused run to reach no source', `${reached.times} reached`)];

/** Not found is the answer; that a path without a method of that name exists is another way to say so. */
export const expectMethodRefused = (exchange: Exchange): readonly Reason[] => expectStatus(exchange, [404, 405, 501]);

/** Served, where it must not be. */
export const expectNotServed = (exchange: Exchange, expected: string): readonly Reason[] =>
  succeeded(exchange) ? [violation(exchange, expected, whatCame(exchange))] : [];

/** How long it is, and in which form, is said by other rules. */
export const expectWaitTold = (exchange: Exchange): readonly Reason[] =>
  headerValues(exchange, 'retry-after').length > 0
    ? []
    : [violation(exchange, 'Retry-After on a 429', 'no such header')];
