/** What is right about a model, and the table of it. */
import type { Drawn, DrawnKind } from '../../fixtures/limiters/index.ts';
import type { LimitKind, LimitModel } from '../../src/model/limit-model.ts';

export interface Outcome {
  readonly kind: DrawnKind;
  /** The limiter in words, for who wants to look. */
  readonly says?: string;
  readonly is: 'right' | 'wrong' | 'undetermined' | 'fits badly';
  readonly burst?: boolean;
  readonly rate?: boolean;
  readonly window?: boolean;
  readonly requests: number;
  readonly seconds: number;
  readonly notes: readonly string[];
}

/** What each kind is called by the prober. None: nothing that it could say with confidence would be right. */
const called: Readonly<Record<DrawnKind, LimitKind | undefined>> = {
  'token bucket': 'token bucket',
  GCRA: 'token bucket',
  'leaky bucket': 'token bucket',
  'stepped refill': 'stepped refill',
  'window aligned': 'window aligned',
  'window from first call': 'window from first call',
  'sliding log': 'sliding log',
  'sliding counter': 'sliding counter',
  concurrency: 'concurrency',
  'two tiers': 'window aligned',
  'replicas in turn': undefined,
  'replicas by lot': undefined,
  'windows in turn': undefined,
  'windows by lot': undefined,
  'counting log': 'sliding log',
  'restarting window': 'window from first call',
  'fixed ban': undefined,
  'exponential penalty': undefined,
  'at random': undefined,
};

/** Copies that are asked in turn are one limit as big as all of them; with a burst of one, a bucket is a log. */
function alike(drawn: Drawn, model: LimitModel): LimitKind | undefined {
  const { kind, burst = 0, copies = 0, perSecond = 0, windowMs = 0 } = drawn;
  if (model.burst === undefined) return undefined;
  const isBig = Math.abs(model.burst.value - burst * copies) <= 1 + 0.02 * burst * copies;
  if (kind === 'windows in turn')
    return isBig && isNear(model.windowMs?.value, windowMs, 0.02) ? model.kind : undefined;
  if (kind !== 'replicas in turn') return undefined;
  if (model.kind === 'token bucket' && isBig && isNear(model.perSecond?.value, perSecond * copies, 0.05))
    return model.kind;
  if (model.kind === 'sliding log' && burst === 1 && isBig) return model.kind;
  return undefined;
}

export function judge(drawn: Drawn, model: LimitModel, requests: number): Outcome {
  const notes: string[] = [];
  const base = { kind: drawn.kind, requests, seconds: model.tookMs / 1000, notes };
  if (model.certainty.is !== 'identified') {
    const between = model.certainty.is === 'undetermined' ? model.certainty.between.join(', ') : '';
    const [best] = model.candidates;
    const against = best === undefined ? '' : `; ${best.kind} contradicts ${best.against}`;
    notes.push(`${model.certainty.is}: ${model.kind} ${between}${against}`);
    return { ...base, is: model.certainty.is === 'undetermined' ? 'undetermined' : 'fits badly' };
  }
  const wanted = called[drawn.kind] ?? alike(drawn, model);
  if (wanted === undefined || (model.kind !== wanted && !model.same.includes(wanted))) {
    notes.push(`WRONG: ${model.kind}`);
    return { ...base, is: 'wrong' };
  }
  const whole = drawn.copies === undefined ? drawn : together(drawn, drawn.copies);
  const burst = whole.burst === undefined ? undefined : model.burst?.value === whole.burst;
  if (burst === false)
    notes.push(`burst ${model.burst?.value} [${model.burst?.low}, ${model.burst?.high}] for ${whole.burst}`);
  const windowed = model.windowMs ?? (drawn.burst === 1 ? interval(model) : undefined);
  const window =
    drawn.windowMs === undefined ? undefined : isNear(windowed?.value, drawn.windowMs, model.windowMs ? 1e-9 : 0.02);
  if (window === false)
    notes.push(`window ${windowed?.value} [${model.windowMs?.low}, ${model.windowMs?.high}] for ${drawn.windowMs}`);
  const rate = whole.perSecond === undefined ? undefined : isNear(model.perSecond?.value, whole.perSecond, 0.02);
  if (rate === false)
    notes.push(
      `rate ${model.perSecond?.value} [${model.perSecond?.low}, ${model.perSecond?.high}] for ${whole.perSecond}`,
    );
  return {
    ...base,
    is: 'right',
    ...(burst === undefined ? {} : { burst }),
    ...(rate === undefined ? {} : { rate }),
    ...(window === undefined ? {} : { window }),
  };
}

const together = (drawn: Drawn, copies: number): Drawn => ({
  ...drawn,
  ...(drawn.burst === undefined ? {} : { burst: drawn.burst * copies }),
  ...(drawn.perSecond === undefined ? {} : { perSecond: drawn.perSecond * copies }),
});

const interval = ({ perSecond }: LimitModel) =>
  perSecond === undefined ? undefined : { value: 1000 / perSecond.value };

export const isNear = (value: number | undefined, truth: number, share: number): boolean =>
  value !== undefined && Math.abs(value / truth - 1) <= share;

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function row(name: string, all: readonly Outcome[]): string[] {
  const count = (is: Outcome['is']): number => all.filter((each) => each.is === is).length;
  const share = (name: 'burst' | 'rate' | 'window'): string => {
    const known = all.filter((each) => each[name] !== undefined);
    return percent(known.filter((each) => each[name]).length, known.length);
  };
  const requests = all.map((each) => each.requests);
  return [
    name,
    String(all.length),
    percent(count('right'), count('right') + count('wrong')),
    percent(count('wrong'), all.length),
    percent(count('undetermined'), all.length),
    percent(count('fits badly'), all.length),
    share('burst'),
    share('rate'),
    share('window'),
    `${quantile(requests, 0.5)} / ${quantile(requests, 0.95)}`,
    `${quantile(
      all.map((each) => each.seconds),
      0.5,
    ).toFixed(0)} s`,
  ];
}

const heads = [
  'kind',
  'n',
  'right of identified',
  'wrong',
  'undetermined',
  'fits badly',
  'burst exact',
  'rate ±2 %',
  'window exact',
  'calls p50/p95',
  'time',
];

export function table(outcomes: readonly Outcome[], plain: readonly DrawnKind[] = []): string {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const rows = [
    heads,
    ...kinds.map((kind) =>
      row(
        kind,
        outcomes.filter((each) => each.kind === kind),
      ),
    ),
  ];
  if (plain.length > 0)
    rows.push(
      row(
        'all of one kind',
        outcomes.filter((each) => plain.includes(each.kind)),
      ),
    );
  const widths = heads.map((_, at) => Math.max(...rows.map((cells) => cells[at]!.length)));
  return rows
    .map((cells) =>
      cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
    )
    .join('\n');
}
