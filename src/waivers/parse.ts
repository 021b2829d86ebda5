/** From the text of a waivers file to waivers: pure, every problem at once, each with its place. */
import { isObject, type Json } from '../model/json.ts';
import type { Rule } from '../model/rule.ts';
import { readDocument } from '../profile/document.ts';
import { explain } from '../profile/explain.ts';
import { suggest } from '../profile/nearest.ts';
import { plain } from '../profile/plain.ts';
import { type Path, Problems } from '../profile/problems.ts';
import { waiversShape } from './shape.ts';
import { daysBetween, type Expectation, longestWaiver, type Waiver } from './waiver.ts';

export interface ParseWaiversOptions {
  /** What messages call the file. */
  readonly source: string;
  readonly rules: readonly Pick<Rule, 'id' | 'clause'>[];
  /** As `2027-01-31`. */
  readonly today: string;
}

/** Throws a ProfileError. An expired waiver is not its concern: the run reports it next to its findings. */
export function parseWaivers(text: string, { source, rules, today }: ParseWaiversOptions): readonly Waiver[] {
  const { value: given, locate } = readDocument(text, source, 'the waivers file');
  const problems = new Problems(locate);
  const value = plain(given, problems) ?? null;
  problems.throwIfAny(source);
  // A file of which every line is commented out waives nothing.
  if (value === null || (isObject(value) && value.waivers === null && Object.keys(value).length === 1)) return [];
  if (!isObject(value)) problems.at(undefined, 'a waivers file is a mapping: `waivers:` and a list below it');
  problems.throwIfAny(source);
  const shaped = waiversShape.safeParse(value);
  if (!shaped.success) explain(shaped.error.issues, { value, raw: new Map() }, problems);
  checkRules(value as { readonly [name: string]: Json }, { source, rules, today }, problems);
  problems.throwIfAny(source);
  return (shaped.data?.waivers ?? []).map(({ issue, ...each }) => ({
    ...each,
    reason: each.reason.trim(),
    owner: each.owner.trim(),
    ...(issue === undefined ? {} : { issue: issue.trim() }),
  }));
}

function checkRules(
  value: { readonly [name: string]: Json },
  { rules, today }: ParseWaiversOptions,
  problems: Problems,
): void {
  const seen = new Map<string, number>();
  for (const [index, each] of (Array.isArray(value.waivers) ? value.waivers : []).entries()) {
    if (!isObject(each)) continue;
    const at = (name: string): Path => ['waivers', index, name];
    const { rule, expectation, expires } = each;
    if (typeof expires === 'string' && daysBetween(today, expires) > longestWaiver) problems.add(at('expires'), tooFar);
    if (typeof rule !== 'string' || rule === '') continue;
    const wrong = whyNotWaivable(rule, expectation as Expectation, rules);
    if (wrong !== undefined) problems.add(at(wrong.at), wrong.says);
    const before = seen.get(rule);
    if (before !== undefined)
      problems.add(at('rule'), `${rule} is waived twice: it is the ${ordinal(before)} waiver already`);
    else seen.set(rule, index);
  }
}

const ordinal = (index: number): string => ['first', 'second', 'third'][index] ?? `${index + 1}th`;

export const tooFar = `more than ${longestWaiver} days away: longer waivers are forgotten; renew it when the day comes`;

/** Why a waiver of this rule could never be met. */
export function whyNotWaivable(
  rule: string,
  expectation: Expectation | undefined,
  rules: ParseWaiversOptions['rules'],
): { readonly at: 'rule' | 'expectation'; readonly says: string } | undefined {
  const known = rules.find(({ id }) => id === rule);
  if (/[*?]/.test(rule)) return { at: 'rule', says: 'a waiver names one rule by its exact identifier: no globs' };
  if (known === undefined) {
    const ids = rules.map(({ id }) => id);
    return { at: 'rule', says: `there is no rule \`${rule.slice(0, 80)}\`; ${hint(suggest(rule, ids), ids)}` };
  }
  const { level } = known.clause;
  if (level === 'observed' && expectation !== 'untested')
    return { at: 'rule', says: `${rule} only observes: it cannot fail, so there is nothing to waive` };
  if (level === 'expected' && expectation === 'fail')
    return { at: 'expectation', says: `${rule} is an expected rule, which warns and never fails: write \`warn\`` };
  return undefined;
}

const hint = (suggestion: string, ids: readonly string[]): string =>
  suggestion.startsWith('known:') ? `\`touchstone rules\` lists all ${ids.length}` : suggestion;
