/** The catalogue is what its version says, and the versions that are kept can still be run. */
import { expect, test } from 'vitest';
import { clientClauses } from '../../suites/clauses/clients.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { clientRules, clientRulesVersion, situations } from '../../suites/client/index.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { clientEntryOf, clientSetDigest, clientSetOf, situationEntryOf } from '../../suites/sets/client-entry.ts';
import { entryOf, setDigest, setOf } from '../../suites/sets/entry.ts';
import { clientSet, keptSets, mostKept } from '../../suites/sets/kept.ts';
import { specification } from '../../suites/specification.ts';
import { difference } from './difference.ts';

const [current] = keptSets.slice(-1);

test('the catalogue is what was frozen under its version: `npm run freeze` writes suites/sets', () => {
  const now = setOf({ ...current!, specification }, catalogue, Object.values(clauses));
  expect(current!.version).toBe(rulesVersion);
  expect(difference(current!, now)).toEqual([]);
  expect(now.digest).toBe(current!.digest);
});

test('the last three are kept, in their order, each whole', () => {
  const versions = keptSets.map(({ version }) => Number(version));
  expect(versions.length).toBeLessThanOrEqual(mostKept);
  expect(versions).toEqual(versions.map((_, at) => Number(rulesVersion) - versions.length + 1 + at));
  for (const set of keptSets) expect(setDigest(set), set.version).toBe(set.digest);
});

test.each(keptSets.map((set) => [set.version, set] as const))('every rule of set %s is still there', (_, set) => {
  const today = new Map(catalogue.map((rule) => [rule.id as string, entryOf(rule)]));
  const part = (entry: string | undefined): string | undefined => entry?.split(' ').slice(0, 2).join(' ');
  const other = Object.entries(set.rules).filter(([id, entry]) => part(today.get(id)) !== part(entry));
  expect(other).toEqual([]);
});

test('a rule that asks differently is another entry, and a provisional rule has none', () => {
  const [rule] = catalogue;
  expect(entryOf({ ...rule!, without: ['key'] })).not.toBe(entryOf(rule!));
  expect(entryOf({ ...rule!, needs: [...rule!.needs, 'second-key'] })).not.toBe(entryOf(rule!));
  expect(entryOf({ ...rule!, fix: 'Other words.' })).toBe(entryOf(rule!));
  expect(Object.keys(setOf(current!, [{ ...rule!, provisional: true }], []).rules)).toEqual([]);
});

test('what clients are judged by is what was frozen under its version', () => {
  const now = clientSetOf({ ...clientSet, specification }, clientRules, Object.values(clientClauses), situations);
  expect(clientSet.version).toBe(clientRulesVersion);
  expect(difference(clientSet, now)).toEqual([]);
  expect(clientSetDigest(clientSet)).toBe(clientSet.digest);
});

test('a rule of clients that looks elsewhere, and a situation that is answered otherwise, are other entries', () => {
  const [rule] = clientRules;
  expect(clientEntryOf({ ...rule!, situations: ['complete'] })).not.toBe(clientEntryOf(rule!));
  expect(clientEntryOf({ ...rule!, fix: 'Other words.' })).toBe(clientEntryOf(rule!));
  const [situation] = situations;
  const other = { ...situation!, answers: () => [{ status: 204, body: '' }] };
  expect(situationEntryOf(other)).not.toBe(situationEntryOf(situation!));
  expect(situationEntryOf({ ...situation!, varies: [] })).not.toBe(situationEntryOf(situation!));
});
