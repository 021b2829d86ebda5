/** Mistakes that people make: one clear message, exit code 2, no stack trace, no verdict invented. */
import { describe, expect, test } from 'vitest';
import { sampleRun, textOf } from '../../reports/testing.ts';
import { patience, place } from './testing.ts';

const { file, touchstone } = place();

const lines = textOf(sampleRun).trimEnd().split('\n');

describe.concurrent('mistakes: one clear message, exit code 2, nothing invented', patience, () => {
  test.for<[string, string[], string]>([
    ['no address', ['check'], 'no profile and no address'],
    ['not a URL', ['check', 'nonsense'], 'must begin with http:// or https://'],
    ['another scheme', ['check', 'ftp://127.0.0.1/'], 'must begin with http:// or https://'],
    [
      '--only that matches nothing',
      ['check', '--reference', '--only', 'atuh.*'],
      'no rule matches `atuh.*`; did you mean `auth`?',
    ],
    [
      '--only of limits with a rule of something else',
      ['limits', '--reference', '--only', 'verify.valid-key'],
      'no rule matches `verify.valid-key` here; ask it with `touchstone check --only verify.valid-key`',
    ],
    ['an unknown option', ['check', '--onyl', 'auth'], 'Did you mean --only?'],
    ['an unknown command', ['chekc'], 'Did you mean check?'],
    ['an unknown format', ['check', '--reference', '--format', 'jsn'], 'did you mean `json`?'],
    [
      'a comma in a path',
      ['check', '--reference', '--format', 'tap,json=a,b.json'],
      'a comma in a path is written `\\,`, as in `json=a\\,b.json`',
    ],
    ['an invalid timeout', ['check', '--reference', '--timeout', '5x'], 'Expected a duration'],
    ['an unknown rule', ['explain', 'run.sucess-shape'], 'did you mean `run.success-shape`?'],
    ['a run file of zero bytes', ['judge', file('zero.jsonl', '')], 'zero.jsonl: the run file is empty'],
    [
      'a run file cut off in a line',
      ['judge', file('half.jsonl', textOf(sampleRun).slice(0, -30))],
      `half.jsonl:${lines.length}: the file was cut off`,
    ],
    ['a run file without footer', ['judge', file('footless.jsonl', lines.slice(0, -1).join('\n'))], 'it has no footer'],
    ['a file that is no run file', ['judge', file('text.jsonl', 'hello')], 'text.jsonl:1: the line is not JSON'],
    [
      'an output folder that cannot be',
      ['check', '--reference', '--output', '/proc/none/deep'],
      'the output folder /proc/none/deep cannot be made',
    ],
    [
      'an output folder that is a file',
      ['check', '--reference', '--output', file('taken', '')],
      'the output folder taken cannot be made',
    ],
  ])('%s', async ([, args, says]) => {
    const { code, out, err } = await touchstone(args);
    expect(err).toContain(says);
    expect(err).toMatch(/\nNext: .+\. \[[a-z-]+\]\n$/);
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).toBe(2);
  });
});

test('an error links to its page, if there is a documentation', async () => {
  const env = { TOUCHSTONE_DOCS: 'https://docs.example/touchstone' };
  const { err } = await touchstone(['check', '--reference', '--format', 'jsn'], { env });
  expect(err).toMatch(/\[unknown-format\]\nMore: https:\/\/docs\.example\/touchstone\/errors\/unknown-format\.html\n$/);
});
