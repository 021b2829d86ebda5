/** A capacity in words: what was found, and what stood in the way. */
import type { CapacityFigures } from '../../model/measurement.ts';
import type { Found } from './search.ts';

const rate = (perSecond: number): string => `${perSecond} a second`;

export function describeCapacity({ figures, interrupted }: Found): string[] {
  const { held, confirmed, promise } = figures;
  const first =
    held === undefined
      ? `At no rate that was tried did the service keep the promise (${promise})`
      : `Up to ${rate(held)} the service keeps its promise (${promise})`;
  if (interrupted) return [`${first}, as far as is known: the search was interrupted`];
  if (figures.gone !== undefined)
    return [
      `${first}; at ${rate(figures.gone)} it stopped answering, and the search ended there: check that it still runs`,
    ];
  return [
    `${first}; ${because(figures)}`,
    ...(confirmed || held === undefined
      ? []
      : [
          'Longer measurements a little below and above it did not confirm this: take it as a guess, and measure again',
        ]),
  ];
}

/** Why not more. */
function because({ constraint, held, broke, steps }: CapacityFigures): string {
  const last = steps.findLast((each) => each.perSecond === broke && each.verdict !== 'held');
  const at = broke === undefined ? '' : `at ${rate(broke)}`;
  const why = last === undefined ? '' : `: ${last.why}`;
  switch (constraint) {
    case 'server':
      return last?.verdict === 'unsure' ? `${at} it is undetermined${why}` : `${at} it did not${why}`;
    case 'limiter':
      return `beyond that the limiter was measured, not the service (${at}${why})`;
    case 'generator':
      return `beyond that the generator did not keep up, so it may well be more (${at}${why})`;
    case 'ladder':
      return held === undefined
        ? 'nothing was tried'
        : 'that is the highest rate that may be tried, so it may well be more';
  }
}
