/** A core of the proof that fits into every day: the whole is `npm run prove -- clients`. */
import { describe, expect, it } from 'vitest';
import { consoleReport } from '../../reports/console.ts';
import { formats } from '../../reports/index.ts';
import { exitCodes, outcomeOf } from '../../src/model/run.ts';
import { readRun } from '../../src/runfile/read.ts';
import { deriveAgain } from '../../src/verdict/derive-again.ts';
import { clientRules } from '../../suites/client/index.ts';
import { differencesOf, tryClient } from './try.ts';

const longest = { timeout: 120_000 };

const written = ({ header, exchanges, trials = [], findings, footer }: Awaited<ReturnType<typeof tryClient>>['run']) =>
  [
    header,
    ...[...exchanges.values()].map((exchange) => ({ type: 'exchange', exchange })),
    ...trials,
    ...findings.map((finding) => ({ type: 'finding', finding })),
    footer,
  ]
    .map((record) => JSON.stringify(record))
    .join('\n');

describe('a lawful client', longest, () => {
  it('is accused of nothing, and its run says the same when it is read again, without its keys', async () => {
    const tried = await tryClient({ oddity: 'nothing-odd', depth: 'quick' });
    expect(differencesOf(tried, [])).toEqual([]);
    const text = written(tried.run);
    expect(text).not.toMatch(/vk_(?:live|test)_[a-z0-9]{8}/);
    const again = readRun(text);
    expect(deriveAgain(again, [], clientRules)).toEqual(again.findings);
    expect(exitCodes[outcomeOf(again)]).toBe(0);
  });
});

describe('a faulty client', longest, () => {
  it.each([
    ['does-not-look-at-status', 'client.checks-status'],
    ['drops-partial-items', 'client.keeps-partial-items'],
    ['wraps-the-input', 'client.sends-the-input'],
    ['says-form', 'client.says-json'],
    ['cuts-the-key', 'client.sends-the-key'],
    ['logs-its-headers', 'client.prints-no-key'],
    ['doubles-from-half-a-second', 'client.waits-as-told'],
    ['repeats-a-401', 'client.repeats-no-refusal'],
  ])('%s is found', async (fault, rule) => {
    const tried = await tryClient({ fault, depth: 'quick', only: [rule, 'client.right-call'] });
    expect(differencesOf(tried, [rule])).toEqual([]);
    const shown = consoleReport(tried.run, { verbose: true });
    expect(shown).toContain(rule);
    expect(shown).toMatch(/0\.00 s {2}started/);
    for (const format of Object.values(formats)) {
      const report = await format.load();
      expect(report(tried.run)).not.toMatch(/vk_(?:live|test)_[a-z0-9]{8}/);
    }
  });
});

describe('what can not be judged', longest, () => {
  const try_ = (...command: string[]) => tryClient({ command, depth: 'quick' });

  it.each([
    ['there is no such program', ['./no-such-program'], /there is no program/],
    ['it calls nobody', [process.execPath, '-e', 'console.error("nothing to do")'], /sent nothing .* nothing to do/],
  ])('%s', async (_, command, says) => {
    const { run } = await try_(...command);
    expect(run.footer?.unreachable).toMatch(says);
    expect(exitCodes[outcomeOf(run)]).toBe(exitCodes.unreachable);
  });
});
