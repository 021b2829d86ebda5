/** What a run decided about the Retry-After of a limit. */
import type { FoundLimit, Run, Told } from '../src/vocabulary.ts';

export function toldIn({ findings }: Pick<Run, 'findings'>, { scope }: Pick<FoundLimit, 'scope'>): Told {
  const rule =
    scope === 'address' || scope === 'callers without a key' ? 'address.waiting-admits' : 'limit.waiting-admits';
  const verdict = findings.find((each) => each.rule === rule)?.verdict;
  return verdict === 'pass' ? 'correctly' : verdict === 'fail' ? 'wrongly' : undefined;
}
