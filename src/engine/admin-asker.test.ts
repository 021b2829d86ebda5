/** What a body of the admin interface becomes. The requests themselves are tried by the rules. */
import { describe, expect, it } from 'vitest';
import { Inconclusive } from '../model/ask.ts';
import { profileFrom } from '../profile/parse.ts';
import { adminAsker, filledIn } from './admin-asker.ts';
import { visit } from './visit.ts';

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

const described = {
  address: 'http://127.0.0.1:1',
  admin: {
    token: 'x'.repeat(24),
    test: true,
    create: { method: 'POST', body: { tier: '{tier}' }, key: '/key', id: '/id' },
    revoke: { method: 'DELETE', path: '/v1/admin/keys/{id}' },
    tier: 'pro',
  },
};

describe('a key that was asked for, and no answer', () => {
  const left = async (error: Error): Promise<readonly string[]> => {
    const profile = profileFrom(described, { source: 'a test', env: {}, readFile: () => '' });
    return visit(profile, { listening: false }, async ({ session }) => {
      const admin = adminAsker(session, { purpose: 'probe', instance: 'main' }, () => Promise.reject(error));
      await expect(admin.create()).rejects.toBe(error);
      return session.made.names;
    });
  };

  it('was not made where the budget ended before it was sent', async () => {
    expect(await left(new Inconclusive('the budget was used up'))).toEqual([]);
  });

  it('may have been made where something else broke', async () => {
    expect(await left(new Error('no space on the device'))).toHaveLength(1);
  });
});
