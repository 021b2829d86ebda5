/** The limits that were found, for a terminal: a line each, and on demand how every number was found. */
import { describe, draw, type FoundLimit, type LimitModel, type Run, sentenceOf, traceOf } from '../src/vocabulary.ts';
import type { View } from './console.ts';
import { shownLimits, toldIn } from './limit-told.ts';
import { inline } from './text.ts';

export function limitLines({ run, paint, width, options }: View): string[] {
  if (run.limits.length === 0) return [];
  const limits = shownLimits(run);
  const rows = limits.map((limit) => cellsOf(limit));
  const table = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row, at) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
    return `  ${at === 0 ? paint('dim', line) : line}`;
  });
  const drawn = options.explain ? limits : limits.slice(0, 1);
  return [
    paint('bold', 'Limits'),
    ...limits.map((limit) => `  ${inline(sentenceOf(limit, toldIn(run, limit)), 300)}`),
    '',
    ...lines,
    ...drawn.flatMap((limit) => ['', ...pictureOf(run, limit, width)]),
    ...(options.explain ? limits.flatMap((limit) => ['', ...explained(limit)]) : []),
  ];
}

const heads = ['limit', 'of', 'kind', 'burst', 'rate', 'window', 'certainty', 'cost'] as const;

function cellsOf({ caller, tier, scope, model }: FoundLimit): string[] {
  const { kind, burst, perSecond, windowMs, decisions, tookMs } = model;
  return [
    scope === 'undetermined' ? 'owner undetermined' : `${scope === 'key' ? 'each key' : scope}`,
    inline(tier === undefined ? caller : `${caller} (${tier})`, 30),
    kind,
    burst === undefined ? '–' : whole(burst.value),
    perSecond === undefined ? '–' : `${short(perSecond.value)}/s`,
    windowMs === undefined ? '–' : seconds(windowMs.value),
    certaintyOf(model),
    `${decisions} calls, ${seconds(tookMs)}`,
  ];
}

const whole = (value: number): string => String(Math.round(value));
const short = (value: number): string => String(Number(value.toPrecision(3)));
const seconds = (ms: number): string => `${short(ms / 1000)} s`;

function certaintyOf({ certainty, explained: share, decisions }: LimitModel): string {
  if (decisions === 0) return 'not looked at';
  switch (certainty.is) {
    case 'identified':
      return `explains ${(share * 100).toFixed(1)} %`;
    case 'undetermined':
      return certainty.between.length > 1 ? `undetermined between ${certainty.between.length}` : 'undetermined';
    default:
      return certainty.is;
  }
}

/** Admitted and refused over time. */
function pictureOf(run: Run, { caller, route, calls }: FoundLimit, width: number): string[] {
  const exchanges = calls.flatMap((id) => run.exchanges.get(id) ?? []);
  const picture = draw(traceOf(exchanges), Math.max(20, width - 34));
  return [
    `  ${route} with ${inline(caller, 30)}, a stretch a line:`,
    ...picture.split('\n').map((line) => `  ${line}`),
  ];
}

function explained({ caller, scope, route, model, stopped }: FoundLimit): string[] {
  const whose = scope === 'undetermined' ? 'Its owner is undetermined.' : `Owner: ${scope}.`;
  return [
    `  ${inline(caller, 30)}, by ${route}. ${whose}`,
    ...describe(model).map((line) => `    ${line}`),
    ...(stopped === undefined ? [] : [`    Probing ended early: ${inline(stopped, 200)}.`]),
  ];
}
