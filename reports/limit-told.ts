/** What a run says of limits beside their numbers: whether their Retry-After is right, and by whose key they were found. */
import type { FoundLimit, Run, Told } from '../src/vocabulary.ts';

export function toldIn({ findings }: Pick<Run, 'findings'>, { scope }: Pick<FoundLimit, 'scope'>): Told {
  const rule =
    scope === 'address' || scope === 'callers without a key' ? 'address.waiting-admits' : 'limit.waiting-admits';
  const verdict = findings.find((each) => each.rule === rule)?.verdict;
  return verdict === 'pass' ? 'correctly' : verdict === 'fail' ? 'wrongly' : undefined;
}

/** A key that was made for the run has a name that nobody else knows. */
export const shownLimits = ({ header, limits }: Pick<Run, 'header' | 'limits'>): readonly FoundLimit[] =>
  limits.map((each) =>
    /^created-\d+$/.test(each.caller) && !header.profile.keys?.includes(each.caller)
      ? { ...each, caller: 'a new key' }
      : each,
  );
