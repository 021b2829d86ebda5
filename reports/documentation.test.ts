import { expect, test } from 'vitest';
import { documentationBase } from '../src/cli/documentation.ts';
import { consoleReport } from './console.ts';
import { githubReport } from './github.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import { sampleRun } from './testing.ts';

const docs = 'https://docs.example/touchstone/';
const rule = [...sampleRun.findings.values()].find(({ verdict }) => verdict === 'fail')!.rule;

test.each([
  ['HTML', htmlReport],
  ['Markdown', markdownReport],
  ['annotations', githubReport],
  ['the console', consoleReport],
])('%s links a finding to the page of its rule, if there is a documentation', (_, report) => {
  const address = `https://docs.example/touchstone/rules/${rule}.html`;
  expect(report(sampleRun, { docs }).replaceAll('%3A', ':')).toContain(address);
  expect(report(sampleRun)).not.toContain('/rules/');
});

test('the last five lines of a console report link to the page of the first failure', () => {
  const last = consoleReport(sampleRun, { docs, runFile: 'run.jsonl' }).trimEnd().split('\n').slice(-5);
  expect(last[0]).toContain('DOES NOT CONFORM');
  expect(last.join('\n')).toContain(
    `Explain: touchstone explain ${rule} or https://docs.example/touchstone/rules/${rule}.html`,
  );
});

test.each([
  ['https://docs.example/x', 'https://docs.example/x'],
  ['javascript:alert(1)', ''],
  ['https://docs.example/"><script>', ''],
  ['', ''],
])('TOUCHSTONE_DOCS=%s', (value, base) => expect(documentationBase({ TOUCHSTONE_DOCS: value })).toBe(base));
