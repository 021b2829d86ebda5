/**
 * A limit as a picture: the calls that were admitted, added up over time; those that were refused; and over them how many the
 * fitted model would have admitted by then. Where the stairs meet the line, refusals begin.
 */
import type { Exchange } from '../../src/vocabulary.ts';
import { inline, plural } from '../text.ts';
import { short, ticks } from './axes.ts';
import { type LimitNumbers, lineOf } from './limit-room.ts';
import { type Content, html, type Markup } from './markup.ts';

export interface LimitPicture {
  /** Whose limit: `the key main`. */
  readonly title: string;
  /** The limit in one sentence, and then how it was found, a sentence each. */
  readonly says: readonly string[];
  /** In the order of sending. */
  readonly points: readonly { readonly atMs: number; readonly admitted: boolean }[];
  /** How many calls in all the model would have admitted by then; empty if none was fitted. */
  readonly model: readonly { readonly atMs: number; readonly capacity: number }[];
}

/** A limit as a run has it, so far as a picture needs it. */
export interface LimitFound {
  readonly caller: string;
  readonly tier?: string;
  readonly scope: string;
  readonly route: string;
  readonly model: LimitNumbers;
  /** The numbers of the exchanges, in the order of sending. */
  readonly calls: readonly number[];
}

/** `describe` puts a limit into words. A call that was not answered says nothing and is omitted. */
export const picturesOf = <Found extends LimitFound>(
  found: readonly Found[],
  exchanges: ReadonlyMap<number, Exchange>,
  describe: (limit: Found) => readonly string[],
): LimitPicture[] =>
  found.map((limit) => {
    const { caller, tier, scope, route, model, calls } = limit;
    const points = calls.flatMap((id) => {
      const { at, response } = exchanges.get(id) ?? {};
      return at === undefined || response === undefined ? [] : [{ atMs: at.sent, admitted: response.status !== 429 }];
    });
    const from = points[0]?.atMs ?? 0;
    const shifted = (line: LimitPicture['model']) =>
      line.map(({ atMs, capacity }) => ({ atMs: atMs - from, capacity }));
    return {
      title: `${caller}${tier === undefined ? '' : ` (${tier})`}: ${route}, ${scope}`,
      says: describe(limit),
      points: points.map(({ atMs, admitted }) => ({ atMs: atMs - from, admitted })),
      model: shifted(lineOf(points, model)),
    };
  });

const width = 1000;
const height = 300;
const box = { left: 56, right: 12, top: 12, bottom: 40 } as const;
/** More points than that no eye tells apart. */
const mostPoints = 1500;

export const limitsSection = (pictures: readonly LimitPicture[]): Markup | undefined =>
  pictures.length === 0
    ? undefined
    : html`<section id="limits" aria-labelledby="limits-title"><h2 id="limits-title">Limits</h2>
${pictures.map(
  (picture) => html`<article class="found"><h3>${inline(picture.title, 200)}</h3>
${picture.says.slice(0, 1).map((each) => html`<p>${inline(each, 600)}</p>`)}
<figure class="picture">${limitPicture(picture)}
<figcaption class="quiet"><span class="key tone-pass">▬</span> admitted in total · <span class="key tone-fail">✕</span> refused${picture.model.length > 0 && html` · <span class="key tone-observed">┅</span> what the identified limit allows in total`}</figcaption></figure>
${picture.says.length > 1 && html`<details><summary>How it was found</summary><ul>${picture.says.slice(1).map((each) => html`<li>${inline(each, 600)}</li>`)}</ul></details>`}</article>`,
)}</section>`;

export function limitPicture({ title, points, model }: LimitPicture): Markup {
  const admitted = points.filter((each) => each.admitted).length;
  const until = Math.max(1, ...points.slice(-1).map(({ atMs }) => atMs), ...model.slice(-1).map(({ atMs }) => atMs));
  const most = model.reduce((highest, { capacity }) => Math.max(highest, capacity), admitted);
  const xs = ticks(until / 1000).filter((seconds) => seconds * 1000 <= until);
  const ys = ticks(most);
  const x = (atMs: number): number => box.left + (atMs / until) * (width - box.left - box.right);
  const y = (count: number): number => height - box.bottom - (count / ys.at(-1)!) * (height - box.top - box.bottom);
  const label = `${plural(points.length, 'call')} over ${short(until / 1000)} s, ${admitted} admitted, for ${inline(title, 100)}`;
  return html`<svg class="limit" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
${axes(xs, ys, x, y)}
${model.length > 0 && html`<polyline class="model" points="${line(thinned(model).map(({ atMs, capacity }) => [x(atMs), y(capacity)]))}"/>`}
<polyline class="admitted" points="${line(stairs(points).map(([atMs, count]) => [x(atMs), y(count)]))}"/>
${refusals(points).map(([atMs, count]) => {
  const [left, top] = [x(atMs), y(count)];
  return html`<path class="refused" d="M${px(left - 3)} ${px(top - 3)}l6 6m0-6l-6 6"/>`;
})}
</svg>`;
}

const px = (value: number): string => value.toFixed(1);
const line = (places: readonly (readonly [number, number])[]): string =>
  places.map(([x, y]) => `${px(x)},${px(y)}`).join(' ');

/** Every so manieth, and the last. */
function thinned<T>(all: readonly T[]): readonly T[] {
  const every = Math.ceil(all.length / mostPoints);
  return every <= 1 ? all : all.filter((_, at) => at % every === 0 || at === all.length - 1);
}

function counted(
  points: LimitPicture['points'],
): { readonly atMs: number; readonly admitted: boolean; readonly count: number }[] {
  let count = 0;
  return points.map(({ atMs, admitted }) => {
    if (admitted) count += 1;
    return { atMs, admitted, count };
  });
}

const stairs = (points: LimitPicture['points']): (readonly [number, number])[] =>
  thinned(counted(points)).flatMap(({ atMs, admitted, count }) =>
    admitted ? [[atMs, count - 1] as const, [atMs, count] as const] : [[atMs, count] as const],
  );

const refusals = (points: LimitPicture['points']): (readonly [number, number])[] =>
  thinned(counted(points).filter(({ admitted }) => !admitted)).map(({ atMs, count }) => [atMs, count] as const);

function axes(
  xs: readonly number[],
  ys: readonly number[],
  x: (ms: number) => number,
  y: (count: number) => number,
): Content {
  const bottom = height - box.bottom;
  return [
    ys.map(
      (
        each,
      ) => html`<line class="grid" x1="${box.left}" x2="${width - box.right}" y1="${px(y(each))}" y2="${px(y(each))}"/>
<text class="tick" x="${box.left - 8}" y="${px(y(each) + 4)}" text-anchor="end">${short(each)}</text>`,
    ),
    xs.map(
      (each) =>
        html`<text class="tick" x="${px(x(each * 1000))}" y="${bottom + 18}" text-anchor="middle">${short(each)}</text>`,
    ),
    html`<text class="tick" x="${(box.left + width - box.right) / 2}" y="${height - 4}" text-anchor="middle">seconds</text>
<text class="tick" transform="translate(12 ${(box.top + bottom) / 2}) rotate(-90)" text-anchor="middle">calls admitted</text>`,
  ];
}
