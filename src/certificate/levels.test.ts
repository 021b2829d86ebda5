/** What a level demands is frozen: a certificate must mean the same whenever it was given. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { canonical } from '../profile/digest.ts';
import { levelNames, levelsByRules } from './levels.ts';

/** Add a line for a new version of the rules. A line that is here is never changed once it was published. */
const frozen: Readonly<Record<string, string>> = {
  '1': '89f3bb7637a86b9b',
  '2': 'ba966bb0900fc7ae',
};

const digest = (version: string): string =>
  createHash('sha256').update(canonical(levelsByRules[version])).digest('hex').slice(0, 16);

test('each version of the rules has its levels, and they are what they were', () => {
  expect(Object.fromEntries(Object.keys(levelsByRules).map((version) => [version, digest(version)]))).toEqual(frozen);
  expect(Object.keys(levelsByRules)).toContain(rulesVersion);
});

test.for(levelNames)('%s demands required rules that there are, each once', (level) => {
  const { rules } = levelsByRules[rulesVersion]![level];
  const required = catalogue.filter(({ clause }) => clause.level === 'required').map(({ id }) => id as string);
  expect(rules.filter((rule) => !required.includes(rule))).toEqual([]);
  expect(new Set(rules).size).toBe(rules.length);
});

test('full demands all that core does', () => {
  const { core, full } = levelsByRules[rulesVersion]!;
  expect(full.rules).toEqual(expect.arrayContaining([...core.rules]));
  expect(full.rules.length).toBeGreaterThan(core.rules.length);
});
