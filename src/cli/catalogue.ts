/** The rules that there are, and which of them were asked for. */
import { clientRules, clientRulesVersion, situations } from '../../suites/client/index.ts';
import { catalogue as rules, rulesVersion } from '../../suites/index.ts';
import { entryOf, type RuleSet } from '../../suites/sets/entry.ts';
import { keptSets } from '../../suites/sets/kept.ts';
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
export const explained: readonly (Pick<Rule, 'id' | 'clause' | 'needs' | 'fix' | 'provisional'> | ClientRule)[] = [
  ...rules,
  ...clientRules,
];

export const catalogue: Catalogue = { rules, version: rulesVersion, specification };

/** The frozen set of a version; undefined if it is not kept any more, or not known yet. */
export const frozenSet = (version: string): RuleSet | undefined => keptSets.find((set) => set.version === version);

/** As it was frozen. If omitted: the rules of today, provisional ones among them. */
export function catalogueOf(version: string | undefined): Catalogue {
  if (version === undefined) return catalogue;
  const set = frozenSet(version);
  if (set === undefined)
    throw new UsageError(
      `--rules: there is no set ${JSON.stringify(version.slice(0, 40))} here; kept are ${keptSets.map((each) => each.version).join(', ')}`,
      'unknown-rule-set',
    );
  return {
    rules: rules.filter(({ id }) => set.rules[id] !== undefined),
    version,
    specification: set.specification,
  };
}

/** Rules of a set that are asked in other contexts, or gated otherwise, than when it was frozen. */
export const askedOtherwise = (version: string): string[] =>
  rules.flatMap((rule) => {
    const then = frozenSet(version)?.rules[rule.id];
    return then === undefined || then === entryOf(rule) ? [] : [rule.id];
  });

export const ids: readonly string[] = rules.map((rule) => rule.id);

export const clientIds: readonly string[] = clientRules.map(({ id }) => id);

/** Undefined: all. */
export const selected = (
  only: readonly string[],
  skip: readonly string[],
  known: readonly string[] = ids,
): ReadonlySet<string> | undefined => selectedFrom(known, only, skip);

/** The same for other rules than those of services. */
export function selectedFrom(
  known: readonly string[],
  only: readonly string[],
  skip: readonly string[],
): ReadonlySet<string> | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const strange = [
    ...only.map((glob) => ({ option: '--only', glob })),
    ...skip.map((glob) => ({ option: '--skip', glob })),
  ].filter(({ glob }) => 'unmatched' in select(known, [glob], []));
  if (strange.length > 0) {
    const lines = strange.map(
      ({ option, glob }) => `${option}: no rule matches \`${glob}\`${elsewhere(glob, known) ?? near(glob, known)}`,
    );
    throw new UsageError(lines.join('\n'), 'unknown-rule');
  }
  const selection = select(known, only, skip);
  if ('unmatched' in selection) throw new UsageError('--only and --skip together select no rule', 'nothing-selected');
  return selection.ids;
}

/** A rule that another command asks. */
function elsewhere(glob: string, known: readonly string[]): string | undefined {
  const by = (command: string, others: readonly string[]): string | undefined =>
    others.includes(glob) && !known.includes(glob)
      ? ` here; ask it with \`touchstone ${command} --only ${glob}\``
      : undefined;
  return by('check', ids) ?? by('client', clientIds);
}

/** `; did you mean …?`, for a rule, an area or a glob with a slip in it. */
export function near(word: string, known: readonly string[] = [...ids, ...clientIds]): string {
  const plain = word.replaceAll(/[*?]+/g, '').replace(/\.$/, '');
  const own = known.map((id) => id.slice(id.indexOf('.') + 1));
  const name = nearest(plain, plain.includes('.') ? known : [...areas, ...known, ...own]);
  const meant =
    name === undefined
      ? known.filter((id) => plain.length > 2 && id.includes(plain))
      : known.filter((id) => id === name || id.endsWith(`.${name}`));
  const names = meant.length > 0 ? meant.slice(0, 3) : name === undefined ? [] : [name];
  return names.length === 0 ? '' : `; did you mean ${names.map((each) => `\`${each}\``).join(' or ')}?`;
}
