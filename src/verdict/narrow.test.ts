import { describe, expect, it } from 'vitest';
import { type Context, describeContext, dimensions } from '../model/context.ts';
import { holdsEveryFailure, type Point, smallestDescription } from './narrow.ts';

const all: Context[] = dimensions.key.flatMap((key) =>
  dimensions.connection.flatMap((connection) =>
    dimensions.history.flatMap((history) =>
      dimensions.company.map((company): Context => ({ key, connection, history, company })),
    ),
  ),
);

const told = (bad: (context: Context) => boolean, contexts: readonly Context[] = all): string => {
  const points = contexts.map((context): Point => ({ context, bad: bad(context) }));
  return describeContext(smallestDescription(points, []) ?? {});
};

describe('the smallest description of a failure', () => {
  it('is one value where one value makes it', () => {
    expect(told((context) => context.key === 'issued')).toBe('with a key that the admin interface issued');
    expect(told((context) => context.history === 'repeated')).toBe('when repeated');
  });

  it('is a pair where only the pair makes it', () => {
    expect(told((context) => context.key === 'test' && context.connection === 'kept')).toBe(
      'with a test key on a kept connection',
    );
  });

  it('names a plain value if nothing else distinguishes it', () => {
    expect(told((context) => context.connection === 'fresh')).toBe('on a fresh connection');
  });

  it('names the case and the actor where they make it', () => {
    const contexts = ['one', 'two'].flatMap((actor) => all.map((context): Context => ({ ...context, actor })));
    expect(told((context) => context.actor === 'two', contexts)).toBe('for actor two');
    const cases = ['a', 'b'].flatMap((name) => all.map((context): Context => ({ ...context, case: name })));
    expect(told((context) => context.case === 'b' && context.company === 'among', cases)).toBe(
      'for b among other requests',
    );
  });

  it('is no place where something failed elsewhere too', () => {
    const bad = ({ key, connection }: Context): boolean => key === 'test' || connection === 'kept';
    const points = all.map((context): Point => ({ context, bad: bad(context) }));
    expect(holdsEveryFailure(points, { key: 'test' })).toBe(false);
    expect(holdsEveryFailure(points, { connection: 'kept' })).toBe(false);
    const tested = all.map((context): Point => ({ context, bad: context.key === 'test' }));
    expect(holdsEveryFailure(tested, { key: 'test' })).toBe(true);
  });

  it('says nothing of dimensions that the rule does without', () => {
    const points = all.map((context): Point => ({ context, bad: context.key === 'test' }));
    expect(smallestDescription(points, ['key'])?.key).toBeUndefined();
  });
});
