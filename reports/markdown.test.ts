import { expect, test } from 'vitest';
import { hostileRun } from './html/testing.ts';
import { markdownReport } from './markdown.ts';
import { block, code, row, words } from './markdown-text.ts';
import { runOf, sampleRun, sampleWith, waivedRun } from './testing.ts';

test('the answer first, then what fails with its proof, then what stays open', () => {
  const text = markdownReport(sampleRun);
  expect(text.split('\n')[0]).toBe('## ❌ Touchstone: DOES NOT CONFORM');
  for (const part of [
    '### What fails (1)',
    '#### `auth.run-with-invalid-key`',
    '*Only for a truncated key on a kept connection, seen 3 of 5 times (asked in 12 contexts).*',
    '```sh\ncurl ',
    '- `upstream.timeout`, inconclusive: ',
    '### Warnings (1)',
    '- add `keys: { main: { tier: … } }` to the profile: `verify.tier-as-declared`',
    'Left behind in the service: `created-1`',
  ])
    expect(text).toContain(part);
  expect(markdownReport(sampleWith(['auth.run-without-key']))).toContain('## ✅ Touchstone: CONFORMS');
});

test('what is waived says by whom; a run that did not come to its end says so', () => {
  expect(markdownReport(waivedRun)).toContain(
    '**waived by ann&#64;example.org until 2027-01-31: fixed in 2.1 (&#35;12)**',
  );
  const { footer: _, ...footless } = sampleWith(['auth.run-without-key']);
  expect(markdownReport(footless)).toContain('## ⚠️ Touchstone: INCOMPLETE');
});

test('it fits where it is put, and says what was left out', () => {
  const great = runOf(4000, 2000);
  const whole = markdownReport(great);
  expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(2 ** 20);
  expect(whole).not.toContain('do not fit here');
  const cut = markdownReport(great, { maxBytes: 20_000 });
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(20_000);
  const shown = cut.match(/^#### /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(3);
  expect(cut).toContain(`**${100 - shown} more do not fit here`);
  expect(Buffer.byteLength(markdownReport(hostileRun(), { maxBytes: 100_000 }))).toBeLessThanOrEqual(100_000);
});

test('coverage, where somebody brings it', () => {
  const clause = { id: 'a', section: '§1', level: 'required', says: 'A.' } as const;
  const text = markdownReport(sampleRun, {
    coverage: [{ clause, rules: [{ rule: 'a.b', exercised: true, provenBy: ['f'] }] }],
  });
  expect(text).toContain('| level | clauses | testable | exercised | proven |');
  expect(text).toContain('| required | 1 | 1 | 1 | 1 |');
});

test('nothing that a service said is markup', () => {
  const text = markdownReport(hostileRun());
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const outside = text
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  const tags = new Set([...outside.matchAll(/<[^>\n]*>?/g)].map(([tag]) => tag));
  expect([...tags].sort()).toEqual(['</details>', '</summary>', '<details>', '<summary>']);
  expect(outside).not.toMatch(/https?:\/\/|(?<!\\)\]\(/);
});

test('code, words and cells', () => {
  expect(code('a')).toBe('`a`');
  expect(code('`a` ``')).toBe('``` `a` `` ```');
  expect(code(' ')).toBe('(nothing)');
  expect(words('<b> *x* [y](http://z) @me #1 www.a.b')).toBe(
    String.raw`&lt;b&gt; \*x\* \[y\](http&#58;//z) &#64;me &#35;1 www&#46;a.b`,
  );
  expect(words('# x')).toBe(String.raw`\# x`);
  expect(row('a|b', String.raw`c\|d`)).toBe(String.raw`| a\|b | c\|d |`);
  expect(block(['```', 'x'])).toBe('````\n```\nx\n````');
});
