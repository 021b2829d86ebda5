/** What a body of the admin interface becomes. The requests themselves are tried by the rules. */
import { describe, expect, it } from 'vitest';
import { filledIn } from './admin-asker.ts';

const parts = { id: '7', tier: 'pro', features: ['geo', 'bulk'], environment: false };

describe('placeholders', () => {
  it('alone in a string become their value, of its own type', () => {
    const body = { tier: '{tier}', live: '{environment}', features: '{features}', deep: [{ id: '{id}' }] };
    expect(filledIn(body, parts)).toEqual({
      tier: 'pro',
      live: false,
      features: ['geo', 'bulk'],
      deep: [{ id: '7' }],
    });
    expect(filledIn('{environment}', { environment: { mode: 'sandbox', billed: null } })).toEqual({
      mode: 'sandbox',
      billed: null,
    });
    expect(filledIn('{environment}', { environment: null })).toBe(null);
  });

  it('within text become text', () => {
    expect(filledIn('{tier}: {features}, live {environment}, {mark}, {other}', parts)).toBe(
      'pro: geo,bulk, live false, {mark}, {other}',
    );
  });
});
