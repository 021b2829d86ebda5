import { expect, test } from 'vitest';
import type { Run } from '../src/index.ts';
import { junitReport } from './junit.ts';
import { hostile, sampleRun, sampleWith } from './sample.ts';
import { casesOf, junitFaults, parseXml } from './tiny-xml.ts';

const read = (run: Run) => {
  const xml = junitReport(run);
  const root = parseXml(xml);
  expect(junitFaults(root)).toEqual([]);
  const cases = casesOf(root);
  const names = cases.map(({ attributes }) => attributes.name);
  expect(new Set(names).size, 'GitLab keeps the first of a name only').toBe(names.length);
  const of = (rule: string) => cases.find(({ attributes }) => attributes.name?.startsWith(rule));
  return { xml, root, cases, of, kind: (rule: string) => of(rule)?.children[0]?.name };
};

test('each verdict is what its readers take it for, and only what passed is green', () => {
  const { of, kind, root } = read(sampleRun);
  expect(of('auth.run-without-key')?.children).toEqual([]);
  expect(kind('auth.run-with-invalid-key')).toBe('failure');
  expect(kind('auth.header-name-case')).toBe('system-out');
  expect(kind('verify.tier-as-declared')).toBe('skipped');
  expect(of('verify.tier-as-declared')?.children[0]?.attributes.message).toContain('no key says its tier');
  expect(kind('upstream.timeout')).toBe('skipped');
  expect(of('upstream.timeout')?.children[0]?.text).toContain('was answered 503');
  expect(kind('run.success-shape')).toBe('error');
  expect(kind('run.complete')).toBeUndefined();
  const upstream = root.children.find(({ attributes }) => attributes.name === 'touchstone.upstream');
  const properties = upstream?.children[0]?.children.map(({ attributes }) => [attributes.name, attributes.value]);
  expect(properties).toContainEqual(['touchstone.inconclusive', 'upstream.timeout']);
});

test('a failure carries its proof, and nothing that a service said leaves its element', () => {
  const { of, xml } = read(sampleRun);
  const failure = of('auth.run-with-invalid-key')?.children[0];
  expect(failure?.attributes.message).toContain('expected 401');
  expect(failure?.text).toContain('again: curl');
  expect(failure?.text).toContain('Only for a truncated key on a kept connection, seen 3 of 5 times');
  expect(hostile).toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(xml).not.toContain('[[ATTACHMENT');
});

test('warnings fail under --strict', () => {
  const { kind } = read({ ...sampleRun, header: { ...sampleRun.header, strict: true } });
  expect(kind('auth.header-name-case')).toBe('failure');
});

test('a run that did not come to its end has an erroneous case that says so', () => {
  const { footer, ...footless } = sampleRun;
  const runs: Record<string, Run> = {
    'did not come to its end': footless,
    INTERRUPTED: { ...sampleRun, footer: { ...footer!, interrupted: true } },
    'Nobody listens': { ...sampleRun, findings: [], footer: { ...footer!, unreachable: 'Nobody listens.' } },
    'got no verdict': { ...sampleRun, findings: sampleRun.findings.slice(0, 1) },
    'No rule at all was judged': sampleWith(['verify.tier-as-declared']),
  };
  for (const [says, run] of Object.entries(runs)) {
    const { of, kind } = read(run);
    expect(kind('run.complete'), says).toBe('error');
    if (says !== 'got no verdict') expect(of('run.complete')?.children[0]?.text).toContain(says);
  }
});
