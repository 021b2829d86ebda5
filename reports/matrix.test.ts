import { describe, expect, test } from 'vitest';
import { orders } from '../fixtures/lawful/precedence.ts';
import { successStatuses } from '../fixtures/lawful/statuses.ts';
import { tryOn } from '../proofs/matrix/try-on.ts';
import type { Finding } from '../src/vocabulary.ts';
import { catalogue } from '../suites/index.ts';
import { type MatrixRun, matrixOf } from './matrix.ts';
import { matrixHtml } from './matrix-html.ts';
import { matrixConsole, matrixMarkdown } from './matrix-text.ts';
import { hostile, sampleRun } from './testing.ts';

const [one = '', two = '', expected = '', observed = ''] = sampleRun.header.planned.map(({ rule }) => rule);
const ours = [one, two, expected, observed];

function run(name: string, found: Readonly<Record<string, Partial<Finding>>> = {}, actors: string[] = []): MatrixRun {
  const planned = sampleRun.header.planned
    .filter(({ rule }) => ours.includes(rule))
    .map(({ untested: _, ...each }) => each);
  const findings = planned.map(
    ({ rule, level }): Finding => ({
      rule,
      verdict: level === 'observed' ? 'observed' : 'pass',
      reasons: [],
      exchanges: [],
      asked: { contexts: 1, planned: 1, leftOut: [] },
      ...found[rule],
    }),
  );
  return { name, actors, findings, header: { ...sampleRun.header, planned }, footer: sampleRun.footer! };
}

const facts = (...told: string[]) => ({ [observed]: { facts: told } });

test('only this one fails', () => {
  const matrix = matrixOf([run('a'), run('b', { [two]: { verdict: 'fail' } }), run('c')]);
  expect(matrix.rows.map(({ only }) => only)).toEqual([undefined, 1, undefined, undefined]);
  expect(matrix.columns.map(({ lawful }) => lawful)).toEqual([true, false, true]);
  expect(matrixConsole(matrix)).toContain('only b');
  expect(matrixMarkdown(matrix)).toContain('- **b**: `auth.run-with-invalid-key` (fail)');
  const both = matrixOf([run('a', { [two]: { verdict: 'fail' } }), run('b', { [two]: { verdict: 'fail' } }), run('c')]);
  expect(both.rows.map(({ only }) => only)).toEqual([undefined, undefined, undefined, undefined]);
  const pair = matrixOf([run('a', { [two]: { verdict: 'fail' } }), run('b')]);
  expect(
    pair.rows.some(({ only }) => only !== undefined),
    'one against one is nobody alone',
  ).toBe(false);
});

describe('where lawful implementations differ', () => {
  test('where the specification is silent, its authors see who does what', () => {
    const matrix = matrixOf([
      run('a', facts('a key in the query is answered 401')),
      run('b', facts('a key in the query is answered 200')),
      run('c', facts('a key in the query is answered 401')),
    ]);
    expect(matrix.ambiguities).toEqual([
      {
        rule: observed,
        level: 'observed',
        section: '§5 Data requests',
        says: 'Whether a key is taken from elsewhere is not shown.',
        behaviours: [
          { does: 'a key in the query is answered 200', who: [1] },
          { does: 'a key in the query is answered 401', who: [0, 2] },
        ],
      },
    ]);
    expect(matrixMarkdown(matrix)).toContain('- `a key in the query is answered 401`: a and c');
  });

  test('an unlawful one says nothing about the specification, waived or not', () => {
    const broken = { [two]: { verdict: 'fail' as const, waived: { reason: 'known', owner: 'me' } } };
    const matrix = matrixOf([run('a', facts('x: 1')), run('b', { ...facts('x: 2'), ...broken })]);
    expect(matrix.ambiguities).toEqual([]);
    expect(matrix.observed[0]?.behaviours).toHaveLength(2);
  });

  test('who was not asked differs from nobody, and who was asked less neither', () => {
    const more = facts('x: 1', 'y: 2', '{actor} answers with 200', '{actor} answers with 422');
    expect(matrixOf([run('a', more), run('b', facts('x: 1', '{actor} answers with 200'))]).ambiguities).toEqual([]);
    const differ = matrixOf([run('a', more), run('b', facts('x: 2', 'y: 2'))]).ambiguities;
    expect(differ[0]?.behaviours.map(({ does }) => does)).toEqual(['x: 1', 'x: 2']);
  });

  test('names of actors are no difference', () => {
    const told = (name: string) => facts(`${name} answers an unknown property with 200`);
    const matrix = matrixOf([run('a', told('text-digest'), ['text-digest']), run('b', told('digest'), ['digest'])]);
    expect(matrix.ambiguities).toEqual([]);
    expect(matrix.observed[0]?.behaviours).toEqual([
      { does: '{actor} answers an unknown property with 200', who: [0, 1] },
    ]);
  });

  test('the standards say what the specification does not', () => {
    const reasons = [{ weight: 'violation' as const, expected: '2xx', came: '401' }];
    const matrix = matrixOf([run('a'), run('b', { [expected]: { verdict: 'warn', reasons } })]);
    expect(matrix.ambiguities[0]?.behaviours).toEqual([
      { does: 'keeps it', who: [0] },
      { does: '401, where 2xx is expected', who: [1] },
    ]);
  });
});

test('services that are lawful and differ, asked by the rules themselves', async () => {
  const ids = ['auth.precedence', 'run.success-code', 'run.status-values', 'verify.valid-key'];
  const rules = catalogue.filter(({ id }) => ids.includes(id));
  const freedoms = [
    [],
    orders.filter(({ name }) => name === 'looks-at-the-body-before-the-key'),
    successStatuses.slice(0, 1),
  ];
  const runs: MatrixRun[] = [];
  for (const [at, each] of freedoms.entries()) {
    const variant = { name: 'a test', overlays: each.flatMap(({ freedom }) => freedom ?? []) };
    const made = await tryOn({ rules, version: '1', specification: 'x' }, variant, { depth: 'quick', seed: 1 });
    runs.push({ ...made, name: `service ${at + 1}`, actors: [] });
  }
  const { ambiguities } = matrixOf(runs);
  expect(ambiguities.map(({ rule }) => rule)).toEqual(['auth.precedence', 'run.success-code']);
  expect(ambiguities[1]?.behaviours).toEqual([
    { does: 'a clean run gets 200', who: [0, 1] },
    { does: 'a clean run gets 201', who: [2] },
  ]);
  expect(ambiguities[0]?.behaviours).toContainEqual({ does: 'invalid key, bad body: 400', who: [1] });
});

test('runs that did not come to their end are not lawful, and rules that only some were asked have gaps', () => {
  const { footer: _, ...open } = run('a');
  const part = run('b');
  const matrix = matrixOf([
    open,
    { ...part, header: { ...part.header, planned: part.header.planned.slice(1) }, findings: part.findings.slice(1) },
  ]);
  expect(matrix.columns[0]).toMatchObject({ lawful: false, outcome: 'incomplete' });
  expect(matrix.rows[0]?.cells[1]).toEqual({ waived: false });
});

describe('as a page', () => {
  const name = `<script>alert(1)</script>${hostile}`;
  const matrix = matrixOf([
    run(name, { ...facts(`" onmouseover="alert(1)" ${hostile}`), [two]: { verdict: 'fail' } }),
    run('b', facts('</li><img src=x onerror=alert(1)>')),
    run('c', facts('javascript:alert(1)')),
  ]);
  const page = matrixHtml(matrix);

  test('holds no script, nothing from outside, and a policy that allows neither', () => {
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;/,
    );
    const tags = new Set([...page.matchAll(/<\s*([a-z!][\w-]*)/gi)].map(([, tag]) => tag!.toLowerCase()));
    expect(
      [...tags].filter((tag) => ['script', 'img', 'iframe', 'object', 'link', 'a', 'svg', 'form'].includes(tag)),
    ).toEqual([]);
    expect(page).not.toMatch(/<[^>]*\son\w+=/i);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  test('says all that Markdown says', () => {
    for (const part of ['Only this one fails', 'For the authors of the specification', two, observed])
      expect(page).toContain(part);
  });

  test('what is hostile is words in Markdown and on a terminal too', () => {
    expect(matrixMarkdown(matrix)).not.toMatch(/^(?!.*`).*<(script|img)/m);
    expect(matrixMarkdown(matrix)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(matrixConsole(matrix)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});
