/** The rules that there are, and which of them were asked for. */
import { clientRules, clientRulesVersion, situations } from '../../suites/client/index.ts';
import { catalogue as rules, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import type { ClientCatalogue, ClientRule } from '../model/client.ts';
import type { Catalogue, Rule } from '../model/rule.ts';
import { areas } from '../model/rule.ts';
import { nearest } from '../profile/nearest.ts';
import { select } from '../verdict/globs.ts';
import { UsageError } from './errors.ts';

export const clientCatalogue: ClientCatalogue = {
  rules: clientRules,
  situations,
  version: clientRulesVersion,
  specification,
};

/** What a person may ask about: rules of services, and of clients. */
export const explained: readonly (Pick<Rule, 'id' | 'clause' | 'needs' | 'mend'> | ClientRule)[] = [
  ...rules,
  ...clientRules,
];

export const catalogue: Catalogue = { rules, version: rulesVersion, specification };

export const ids: readonly string[] = rules.map((rule) => rule.id);

export const clientIds: readonly string[] = clientRules.map(({ id }) => id);

/** Undefined: all. */
export const selected = (only: readonly string[], skip: readonly string[]): ReadonlySet<string> | undefined =>
  selectedFrom(ids, only, skip);

/** The same for other rules than those of services. */
export function selectedFrom(
  ids: readonly string[],
  only: readonly string[],
  skip: readonly string[],
): ReadonlySet<string> | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const strange = [
    ...only.map((glob) => ({ option: '--only', glob })),
    ...skip.map((glob) => ({ option: '--skip', glob })),
  ].filter(({ glob }) => 'unmatched' in select(ids, [glob], []));
  if (strange.length > 0) {
    const lines = strange.map(({ option, glob }) => `${option}: no rule is called \`${glob}\`${near(glob)}`);
    throw new UsageError(lines.join('\n'), 'unknown-rule');
  }
  const selection = select(ids, only, skip);
  if ('unmatched' in selection)
    throw new UsageError('--only and --skip together leave no rule to ask', 'nothing-selected');
  return selection.ids;
}

/** `; did you mean …?`, for a rule, an area or a glob with a slip in it. */
export function near(word: string): string {
  const plain = word.replaceAll(/[*?]+/g, '').replace(/\.$/, '');
  const known = [...ids, ...clientIds];
  const own = known.map((id) => id.slice(id.indexOf('.') + 1));
  const name = nearest(plain, plain.includes('.') ? known : [...areas, ...known, ...own]);
  const meant =
    name === undefined
      ? known.filter((id) => plain.length > 2 && id.includes(plain))
      : known.filter((id) => id === name || id.endsWith(`.${name}`));
  const names = meant.length > 0 ? meant.slice(0, 3) : name === undefined ? [] : [name];
  return names.length === 0 ? '' : `; did you mean ${names.map((each) => `\`${each}\``).join(' or ')}?`;
}
