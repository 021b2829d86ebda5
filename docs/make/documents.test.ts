/** The documents say what the program says; UPDATE_DOCS=1 writes them again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import clientProofs from '../../proofs/clients/proofs.json' with { type: 'json' };
import proofs from '../../proofs/matrix/proofs.json' with { type: 'json' };
import { allTrials } from '../../proofs/matrix/variants.ts';
import measured from '../../proofs/stacks/measured.json' with { type: 'json' };
import { stackTables } from '../../proofs/stacks/table.ts';
import { mistakes } from '../../src/mistakes.ts';
import { clientRules } from '../../suites/client/index.ts';
import { catalogue } from '../../suites/index.ts';
import { comparisons } from '../../suites/language/equality.ts';
import { filled } from './blocks.ts';
import { comparedInPassing, comparing } from './comparing.ts';
import { equalityPage } from './equality-page.ts';
import { openapi, openapiText } from './openapi.ts';
import { errorsPage, rulesPage } from './pages.ts';

const docs = join(import.meta.dirname, '..');
const source = join(docs, '..', 'src');

const pages: Readonly<Record<string, () => string>> = {
  'errors.md': errorsPage,
  'equality.md': equalityPage,
  'rules.md': () =>
    rulesPage(
      catalogue,
      clientRules,
      new Map(Object.entries({ ...proofs, ...clientProofs } as Record<string, string[]>)),
    ),
  'openapi.yaml': openapiText,
};

test.each(Object.keys(pages))('docs/%s is current: UPDATE_DOCS=1 npx vitest run docs writes it', (name) => {
  const path = join(docs, name);
  const text = pages[name]!();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

const guides = ['../README.md', ...readdirSync(docs).filter((name) => name.endsWith('.md') && !(name in pages))];

test.each(guides)('what is made in %s is current: UPDATE_DOCS=1 npx vitest run docs writes it', async (name) => {
  const path = join(docs, name);
  const guide = readFileSync(path, 'utf8');
  const trials = await allTrials();
  const of = (kind: string): number => trials.filter((trial) => trial.kind === kind).length;
  const text = filled(guide, { faults: of('fault'), lawful: of('lawful'), stacks: stackTables(measured) });
  if (process.env.UPDATE_DOCS === '1' && text !== guide) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('every rule compares by an equality that is written down, and every one that is written down is used', () => {
  expect(comparedInPassing().filter((line) => !line.includes('typeof'))).toEqual([]);
  const used = new Set([...comparing(Object.keys(comparisons)).values()].flat());
  expect(Object.keys(comparisons).filter((name) => !used.has(name) && name !== 'addressOfSource')).toEqual([]);
});

test('every code of a mistake is thrown somewhere, or nobody needs to read about it', () => {
  const texts = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name) && entry.name !== 'mistakes.ts')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  // The reasons of a run file are codes with `run-file-` in front.
  const named = (code: string): boolean =>
    texts.some((text) => [code, code.replace(/^run-file-/, '')].some((each) => text.includes(`'${each}'`)));
  // The parser of options writes this one itself, at the end of its own message.
  const unnamed = Object.keys(mistakes).filter((code) => !named(code) && code !== 'command-line');
  expect(unnamed).toEqual([]);
});

test('each mistake is one sentence and one step', () => {
  for (const [code, { says, next }] of Object.entries(mistakes)) {
    expect(code).toMatch(/^[a-z][a-z0-9-]+$/);
    expect(says, code).toMatch(/^[A-Z][^\n]*\.$/);
    expect(says.match(/[.!?](?=\s|$)/g), code).toHaveLength(1);
    expect(next, code).toMatch(/^[A-Z`][^\n]*\.$/);
  }
});

test('every reference of the OpenAPI document leads somewhere, every part of it is used, every path parameter is declared', () => {
  const document = openapi();
  const used = new Set<string>();
  JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') used.add(value.slice(2));
    return value;
  });
  const components = (['parameters', 'schemas'] as const).flatMap((kind) =>
    Object.keys(document.components[kind]).map((name) => `components/${kind}/${name}`),
  );
  expect([...used].toSorted()).toEqual(components.toSorted());
  for (const [path, item] of Object.entries(document.paths))
    expect('parameters' in item, path).toBe(path.includes('{name}'));
});
