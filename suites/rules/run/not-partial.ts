/** PARTIAL where nothing can have failed. What is said where something did is in `partial.ts`. */
import {
  type Actor,
  type Ask,
  type Case,
  type Exchange,
  member,
  type Reason,
  type Scene,
  type Subject,
  sweep,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isRun } from '../../language/answers.ts';
import { runnableRestricted } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, succeeds } from '../../language/gates.ts';

const expectNotPartial = (exchange: Exchange): readonly Reason[] =>
  isPartial(exchange)
    ? [violation(exchange, 'a status other than PARTIAL, because no source failed', '"PARTIAL"')]
    : [];

interface Before extends Case {
  /** What ran before it and was PARTIAL, by right. */
  readonly failing: Actor | undefined;
}

/** Whatever else is asked meanwhile, and however often: the same run says PARTIAL no time. */
const common = {
  passing: 'it is unknown which sources of a recorded run had failed',
  clause: clauses.partialMeansSomeFailed,
  cases: ({ actors }: Subject) => {
    const failing = actors.sources.find(({ sources }) => sources === 2);
    return [
      { name: 'a run by itself', failing: undefined },
      ...(failing === undefined ? [] : [{ name: `a run after a PARTIAL of ${failing.name}`, failing }]),
    ];
  },
  async *provoke({ run, case: { failing } }: Ask<Before>) {
    yield { failed: failing === undefined ? null : await run({ actor: failing, sources: { ok2: 'refused' } }) };
    yield { clean: await run() };
  },
  given: ({ failed, clean }: { readonly failed?: Exchange | null; readonly clean?: Exchange }) => [
    inapplicableIf(!!failed && !isPartial(failed), 'the run before it, with one failed source, was not PARTIAL'),
    succeeds(clean, 'a clean run'),
    // Whether there is a status at all is asked by another rule; without one, nothing says that it is not PARTIAL.
    inconclusiveIf(
      !!clean && typeof member(clean, 'status') !== 'string',
      `a clean run has no readable status (exchange ${clean?.id}); see run.success-shape`,
    ),
  ],
  includes: (exchange: Exchange, _: Scene, brought: readonly { readonly clean: Exchange }[]) =>
    brought.some(({ clean }) => clean === exchange) ||
    (isPartial(exchange) && isRun(exchange) && brought.some(({ clean }) => clean && isSameRun(clean, exchange))),
  judge: expectNotPartial,
};

/** Actors that not every key may run. */
const ofRestricted = (subject: Subject): readonly Before[] =>
  runnableRestricted(subject)
    .filter(({ actor }) => actor.sources === 0)
    .map((each) => ({ ...each, name: `a run of ${each.actor.name}`, failing: undefined }));

export const cleanRunIsNotPartial = sweep({
  id: 'run.clean-run-is-not-partial',
  ...common,
  cases: (subject) => [...common.cases(subject), ...ofRestricted(subject)],
  needs: ['key', 'clean'],
  actor: 'clean',
  fix: 'Return PARTIAL only if a source failed.',
});

export const echoIsNotPartial = sweep({
  id: 'run.echo-is-not-partial',
  // Another run between the two would take the status that sticks, and nobody would look at it.
  alone: true,
  ...common,
  needs: ['key', 'echo'],
  actor: 'echo',
  fix: 'Return PARTIAL only if a source of this run failed: keep failures with the run, not with the process.',
});

/** The same actor with the same input, but for the nonce, and no address in it that could have failed. */
const isSameRun = (one: Exchange, other: Exchange): boolean => {
  const input = inputOf(one);
  return input !== undefined && one.request.target === other.request.target && input === inputOf(other);
};

function inputOf({ request, planted }: Exchange): string | undefined {
  const text = request.body?.text;
  if (text === undefined || (planted?.sources.length ?? 0) > 0 || /https?:\/\//i.test(text)) return undefined;
  return planted?.nonce === undefined ? text : text.replaceAll(planted.nonce, '');
}
