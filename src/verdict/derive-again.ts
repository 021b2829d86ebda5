/** Pure: the findings of a written run, derived again from its exchanges. */
import { isDeepStrictEqual } from 'node:util';
import type { ClientRule } from '../model/client.ts';
import type { Rule } from '../model/rule.ts';
import type { Run } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import { derivePassedAgain } from './between.ts';
import { deriveClientAgain } from './client.ts';
import { deriveFindings } from './derive.ts';

/** As a file would give them back: what is undefined is not there. */
export function deriveAgain(run: Run, rules: readonly Rule[], ofClients: readonly ClientRule[] = []): Finding[] {
  const { header, steps, exchanges, findings } = run;
  if (header.between !== undefined)
    return waivedAlike(JSON.parse(JSON.stringify(derivePassedAgain(run, rules, ofClients))) as Finding[], findings);
  if (header.client !== undefined)
    return waivedAlike(JSON.parse(JSON.stringify(deriveClientAgain(run, ofClients))) as Finding[], findings);
  const written = { planned: header.planned, steps, exchanges, profile: header.profile };
  const derived = JSON.parse(JSON.stringify(deriveFindings(written, rules))) as Finding[];
  return waivedAlike(derived, findings);
}

/** A waiver does not depend on exchanges: it belongs to the verdict that it was written for. */
function waivedAlike(derived: readonly Finding[], written: readonly Finding[]): Finding[] {
  const before = new Map(written.map((each) => [each.rule, each]));
  return derived.map((now) => {
    const then = before.get(now.rule);
    return then?.waived !== undefined && then.verdict === now.verdict ? { ...now, waived: then.waived } : now;
  });
}

export interface Difference {
  /** Undefined if the file has none. */
  readonly written: Finding | undefined;
  readonly derived: Finding;
}

/** What a finding says in prose, which later versions may word better: emptied, so that the rest can be compared. */
const wordless = (finding: Finding): unknown => ({
  ...finding,
  reasons: finding.reasons.map(({ expected: _, came: __, ...rest }) => rest),
  ...(finding.because === undefined ? {} : { because: '' }),
  ...(finding.facts === undefined ? {} : { facts: finding.facts.length }),
});

/** The same verdict on the same exchanges, in other words. */
export const isRewording = ({ written, derived }: Difference): boolean =>
  written !== undefined && isDeepStrictEqual(wordless(written), wordless(derived));

export function differencesOf(written: readonly Finding[], derived: readonly Finding[]): Difference[] {
  const before = new Map(written.map((each) => [each.rule, each]));
  return derived.flatMap((now) => {
    const then = before.get(now.rule);
    return isDeepStrictEqual(then, now) ? [] : [{ written: then, derived: now }];
  });
}
