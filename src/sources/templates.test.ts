import { describe, expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { createRegistry } from './registry.ts';
import type { Sources } from './sources.ts';
import { fill, templatesIn } from './templates.ts';

const registry = createRegistry({
  random: seeded(1),
  base: () => 'http://127.0.0.1:9',
  refusedBase: () => 'http://127.0.0.1:1',
  body: '{{token}}',
  contentType: 'text/plain',
});
const sources: Sources = { ...registry, close: async () => {} };
const nonce = (): string => 'n123456789012';

describe('templates', () => {
  it('give each exchange addresses and a nonce of its own, the same everywhere inside it', () => {
    const input = { a: '{{nonce}}', b: ['x {{ nonce }}', '{{source.ok}}', { c: '{{source.ok}}' }], d: 3, e: null };
    const one = fill(input, sources, nonce);
    const other = fill(input, sources, () => 'n0');
    expect(one.planted?.nonce).toBe('n123456789012');
    expect(one.planted?.sources).toHaveLength(1);
    expect(JSON.stringify(one.input).split(one.planted!.sources[0]!.token)).toHaveLength(3);
    expect(one.planted?.sources[0]?.token).not.toBe(other.planted?.sources[0]?.token);
  });

  it('behave as their slot says, or as the rule says', () => {
    const behaviours = (over?: Parameters<typeof fill>[3]) =>
      fill(
        ['{{source.ok}}', '{{source.ok2}}', '{{source.slow}}', '{{source.broken}}'],
        sources,
        nonce,
        over,
      ).planted?.sources.map((source) => source.behaviour);
    expect(behaviours()).toEqual(['ok', 'ok', 'slow', 'refused']);
    expect(behaviours({ ok2: 'reset' })).toEqual(['ok', 'reset', 'slow', 'refused']);
  });

  it('leave an input without them alone', () => {
    expect(fill({ text: '{{unknown}}' }, sources, nonce)).toEqual({ input: { text: '{{unknown}}' } });
  });

  it('send doubled braces as data', () => {
    const { input, planted } = fill({ text: 'Dear {{{{ who }}}}: {{{{nonce}}}} {{nonce}}' }, sources, nonce);
    expect(input).toEqual({ text: 'Dear {{ who }}: {{nonce}} n123456789012' });
    expect(planted?.nonce).toBe('n123456789012');
    expect(templatesIn({ a: '{{{{nonce}}}} {{{{source.ok}}}}' })).toEqual({ echoes: false, sources: 0 });
  });

  it('show which roles an actor can play', () => {
    expect(templatesIn({ a: '{{nonce}}' })).toEqual({ echoes: true, sources: 0 });
    expect(templatesIn(['{{source.ok}}', '{{source.ok}}'])).toEqual({ echoes: false, sources: 1 });
    expect(templatesIn(['{{source.ok}}', '{{ source.ok2 }}'])).toEqual({ echoes: false, sources: 2 });
    expect(templatesIn(undefined)).toEqual({ echoes: false, sources: 0 });
  });
});
