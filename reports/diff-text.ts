/** How the difference of two runs reads: on a terminal, in a pipeline's summary, and for programs. */
import type { Finding } from '../src/vocabulary.ts';
import { type Cause, type Change, type ChangeKind, changeKinds, type Difference } from './diff.ts';
import { code, words } from './markdown-text.ts';
import { type Paint, painter, type Style } from './paint.ts';
import { inline, list, plural } from './text.ts';

const titles: Readonly<Record<ChangeKind, { readonly title: string; readonly style: Style }>> = {
  new: { title: 'New', style: ['red', 'bold'] },
  still: { title: 'Still failing', style: 'red' },
  fixed: { title: 'Fixed', style: 'green' },
  lost: { title: 'No longer judged', style: 'magenta' },
  gained: { title: 'Judged for the first time', style: 'cyan' },
  other: { title: 'Different', style: 'yellow' },
};

const causes: Readonly<Record<Cause, string>> = {
  suite: 'the rules changed: they now judge the older exchanges differently',
  selection: 'only one of the runs selected it',
  ended: 'one of the runs ended before reaching it',
  profile: 'the profile changed what can be tested',
  waivers: 'the waivers changed, not the verdict',
  implementation: 'the service answers differently',
  unknown: 'the service, or the conditions of the run',
};

const stateOf = (finding: Finding | undefined): string =>
  finding === undefined ? 'not asked' : `${finding.verdict}${finding.waived === undefined ? '' : ' (waived)'}`;

/** Why it is what it is now. */
function reasonOf({ after }: Change): string {
  const [first] = after?.reasons ?? [];
  if (after === undefined) return '';
  if (first !== undefined) return `expected ${first.expected}, got ${first.came}${placeOf(after)}`;
  return after.because ?? '';
}

const placeOf = ({ where, seen }: Finding): string =>
  `${where === undefined ? '' : `, only ${where}`}${seen === undefined ? '' : ` (seen ${seen.times} of ${seen.of} times)`}`;

function factChanges({ before, after }: Change): string[] {
  const [was, is] = [before?.facts ?? [], after?.facts ?? []];
  return [
    ...was.filter((fact) => !is.includes(fact)).map((fact) => `- ${fact}`),
    ...is.filter((fact) => !was.includes(fact)).map((fact) => `+ ${fact}`),
  ];
}

export const of = (difference: Difference, kind: ChangeKind): readonly Change[] =>
  difference.changes.filter((each) => each.kind === kind);

/** What may be behind the changes, one line each. */
function settings({ suite, profile, target, asking, changes }: Difference): readonly (readonly [string, string])[] {
  const own = changes.filter(({ cause, kind }) => cause === 'implementation' && kind !== 'still').length;
  const or = (parts: readonly string[], none: string): string => (parts.length === 0 ? none : list(parts));
  return [
    [
      'implementation',
      `${own === 0 ? 'no change of its own' : `${plural(own, 'change')} of its own`}${target.length === 0 ? '' : `; ${list(target)}`}`,
    ],
    ['profile', profile.length === 0 ? 'the same' : `changed (${list(profile)})`],
    ['suite', or(suite, 'the same')],
    ...(asking.length === 0 ? [] : [['asked', list(asking)] as const]),
  ];
}

export function headline(difference: Difference): string {
  const count = (kind: ChangeKind): number => of(difference, kind).length;
  const parts = [
    `${count('new')} new`,
    `${count('fixed')} fixed`,
    `${count('still')} still failing`,
    ...(count('lost') > 0 ? [`${count('lost')} no longer judged`] : []),
    ...(count('gained') > 0 ? [`${count('gained')} judged for the first time`] : []),
    ...(count('other') > 0 ? [`${count('other')} otherwise`] : []),
    `${difference.same} the same`,
  ];
  return parts.join(' · ');
}

export const incompleteSays = 'The second run is incomplete: the rules that it did not reach are unknown.';

export function diffConsole(difference: Difference, { colour = false }: { readonly colour?: boolean } = {}): string {
  const paint = painter(colour);
  const sections = changeKinds.flatMap((kind) => {
    const changes = of(difference, kind);
    if (changes.length === 0) return [];
    const { title, style } = titles[kind];
    return [[paint(style, `${title} (${changes.length})`), ...changes.flatMap((each) => changeLines(each, paint))]];
  });
  const head = settings(difference).map(([what, says]) => `${`${what}:`.padEnd(16)}${inline(says, 400)}`);
  const end = [
    ...(difference.incomplete ? [paint('magenta', incompleteSays)] : []),
    paint('bold', headline(difference)),
  ];
  return [head, ...sections, end].map((lines) => lines.join('\n')).join('\n\n');
}

function changeLines(change: Change, paint: Paint): string[] {
  const { rule, level, before, after, cause, kind } = change;
  const reason = reasonOf(change);
  return [
    `  ${inline(rule)}${level === 'required' ? '' : ` (${level})`}: ${stateOf(before)} → ${stateOf(after)}`,
    ...(reason === '' ? [] : [`    ${inline(reason, 300)}`]),
    ...factChanges(change)
      .slice(0, 12)
      .map((fact) => `    ${inline(fact, 200)}`),
    ...(kind === 'still' ? [] : [paint('dim', `    ${causes[cause]}`)]),
  ];
}

export function diffMarkdown(difference: Difference): string {
  const sections = changeKinds.flatMap((kind) => {
    const changes = of(difference, kind);
    if (changes.length === 0) return [];
    return [`### ${titles[kind].title} (${changes.length})`, '', ...changes.flatMap((each) => markdownLines(each)), ''];
  });
  return [
    `## Touchstone: ${headline(difference)}`,
    '',
    ...(difference.incomplete ? [`**${incompleteSays}**`, ''] : []),
    ...settings(difference).map(([what, says]) => `- **${what}**: ${words(says, 400)}`),
    '',
    ...sections,
  ].join('\n');
}

function markdownLines(change: Change): string[] {
  const { rule, level, before, after, cause, kind } = change;
  const reason = reasonOf(change);
  return [
    `- ${code(rule)} (${level}): ${stateOf(before)} → **${stateOf(after)}**${kind === 'still' ? '' : `; ${causes[cause]}`}`,
    ...(reason === '' ? [] : [`  - ${words(reason, 400)}`]),
    ...factChanges(change)
      .slice(0, 12)
      .map((fact) => `  - ${code(fact, 300)}`),
  ];
}

/** Raised when a member changes its meaning or goes away. */
const version = 1;

export function diffJson(difference: Difference): string {
  const { changes, ...rest } = difference;
  const listed = changes.map(({ before, after, ...change }) => ({
    ...change,
    before: before === undefined ? null : { verdict: before.verdict, waived: before.waived !== undefined },
    after: after === undefined ? null : { verdict: after.verdict, waived: after.waived !== undefined },
    reasons: after?.reasons ?? [],
  }));
  return JSON.stringify({ format: 'touchstone-diff', version, ...rest, changes: listed }, undefined, 2);
}
