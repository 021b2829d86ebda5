/** What a profile lacks is said, and nothing that it has is asked for. */
import { expect, it } from 'vitest';
import type { Subject } from '../model/subject.ts';
import { lacking } from './capabilities.ts';

const subjectOf = (...restricted: readonly object[]): Subject =>
  ({ actors: { restricted }, control: {} }) as unknown as Subject;
const keys = { restrictedKey: {}, entitledKey: {} };

it('restricted actors that read no source: the source address is what is missing, and not their keys', () => {
  const lack = lacking(['restricted-sources'], subjectOf({ ...keys, sources: 0 }));
  expect(lack?.add).toContain('{{source.ok}}');
  expect(lack?.add).not.toContain('keys:');
  expect(lacking(['restricted-sources'], subjectOf({ ...keys, sources: 1 }))).toBeUndefined();
});

it('no restricted actor: its keys are asked for', () => {
  expect(lacking(['restricted'], subjectOf())?.add).toContain('keys:');
  expect(lacking(['restricted'], subjectOf({ ...keys, sources: 0 }))).toBeUndefined();
});
