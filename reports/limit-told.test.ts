import { expect, test } from 'vitest';
import type { FoundLimit, Run } from '../src/vocabulary.ts';
import { shownLimits } from './limit-told.ts';
import { sampleRun } from './testing.ts';

const limit = (caller: string): FoundLimit => ({ caller, tier: 'pro' }) as FoundLimit;

test('a key that was made for the run is shown as that, and a key of the profile by its name', () => {
  const header = { ...sampleRun.header, profile: { ...sampleRun.header.profile, keys: ['main', 'created-1'] } };
  const run: Pick<Run, 'header' | 'limits'> = {
    header,
    limits: ['main', 'created-26', 'created-1', 'no key'].map(limit),
  };
  expect(shownLimits(run).map(({ caller }) => caller)).toEqual(['main', 'a new key', 'created-1', 'no key']);
});
