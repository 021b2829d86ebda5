/** How a rule is asked. The planner covers all pairs of these values; the rules do not know. */

export const dimensions = {
  key: ['live', 'test', 'issued'],
  connection: ['fresh', 'kept'],
  history: ['first', 'repeated', 'after-refusal', 'after-failed-run'],
  company: ['alone', 'among'],
} as const;

export type DimensionName = keyof typeof dimensions | 'actor' | 'case';

export interface Context {
  readonly key: (typeof dimensions.key)[number];
  readonly connection: (typeof dimensions.connection)[number];
  readonly history: (typeof dimensions.history)[number];
  readonly company: (typeof dimensions.company)[number];
  /** The name of the actor that was asked, where the rule asks one. */
  readonly actor?: string;
  /** The name of the rule's own case, where it has a family of them. */
  readonly case?: string;
}

const phrases: Record<keyof typeof dimensions, Readonly<Record<string, string>>> = {
  key: { live: 'with a live key', test: 'with a test key', issued: 'with a key that the admin interface issued' },
  connection: { fresh: 'on a fresh connection', kept: 'on a kept connection' },
  history: {
    first: 'when nothing went before',
    repeated: 'when repeated',
    'after-refusal': 'after a refusal',
    'after-failed-run': 'after a failed run',
  },
  company: { alone: 'alone', among: 'among other requests' },
};

/** In plain words, for a part of a context: `with a test key on a kept connection`. */
export function describeContext(part: Partial<Context>): string {
  const words: string[] = [];
  if (part.case !== undefined) words.push(`for ${part.case}`);
  if (part.actor !== undefined) words.push(`for actor ${part.actor}`);
  for (const name of ['key', 'connection', 'history', 'company'] as const) {
    const value = part[name];
    if (value !== undefined) words.push(phrases[name][value] ?? value);
  }
  return words.join(' ');
}
