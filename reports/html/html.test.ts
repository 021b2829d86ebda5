/** The parts of the page that need no browser to be tried. */
import { expect, test } from 'vitest';
import { htmlReport } from '../html.ts';
import { runOf, sampleRun, waivedRun } from '../testing.ts';
import { ticks } from './axes.ts';
import { chartsOf } from './charts.ts';
import { embeddedJson, embeddedOf } from './data.ts';
import { limitPicture, picturesOf } from './limits.ts';
import { html, prose } from './markup.ts';
import { bucketPicture, curveOf, hostileRun, loaded } from './testing.ts';

test('a template escapes whatever is put into it', () => {
  const evil = `<b a="1" b='2'>&\u202e`;
  expect(String(html`<p title="${evil}">${[evil, 1, false, undefined]}</p>`)).toBe(
    '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;\\u{202e}">&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;\\u{202e}1</p>',
  );
  expect(String(html`${html`<i>${'<'}</i>`}`)).toBe('<i>&lt;</i>');
  expect(String(html`${prose('`a` and `b', 99)}`)).toBe('<code>a</code> and `b');
  expect(String(html`${prose('<`<`', 99)}`)).toBe('&lt;<code>&lt;</code>');
});

test('nothing is referred to outside, and the policy allows what is there by its digest alone', () => {
  const text = htmlReport({ ...sampleRun, measurements: [loaded] }, { curveOf });
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
  expect(policy).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(text).not.toMatch(/<(?:link|img|iframe|base)\b|\ssrc=|\sstyle=|\son[a-z]+=/i);
  expect([...text.matchAll(/\shref="([^"]*)"/g)].every(([, to]) => to!.startsWith('#'))).toBe(true);
  expect(text.match(/sha256-/g)).toHaveLength(5);
  expect(htmlReport(sampleRun)).not.toContain('uPlot');
});

test('a page of load alone is a load report, and shows what its sample supports', () => {
  const { header, footer } = sampleRun;
  const alone = { ...sampleRun, header: { ...header, planned: [] }, findings: [], footer: footer! };
  const text = htmlReport({ ...alone, measurements: [loaded] }, { curveOf });
  expect(text).toContain('<span class="quiet">load report</span>');
  expect(text).toMatch(/<title>Load: /);
  expect(text).not.toContain('conformance report');
  expect(text).toMatch(/<dt>99 % of the 2xx within<\/dt><dd>3\.\d+ ms</);
  expect(text).toContain('<dt>99.9 % of the 2xx within</dt><dd>needs 2,995 answers</dd>');
  const reasons = [{ cause: 'generator', says: 'it was late', change: 'wait' }] as const;
  const invalid = htmlReport(
    { ...alone, measurements: [{ ...loaded, validity: { verdict: 'invalid', reasons } }] },
    { curveOf },
  );
  expect(invalid).not.toContain('of the 2xx within');
  expect(invalid).not.toContain('latency:percentiles');
});

test('no text of others is in a script or outside of its escapes', () => {
  const text = htmlReport(hostileRun());
  const scripts = [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
  expect(scripts).toHaveLength(6);
  for (const [, content] of scripts.filter(([tag]) => tag.includes('application/json'))) {
    expect(content).not.toContain('<');
    expect(() => JSON.parse(content!)).not.toThrow();
  }
  const markup = text.replaceAll(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '');
  expect(markup).not.toMatch(/<(?:img|iframe|object|embed|script|base|form(?! class="tools")|video|audio|marquee)\b/i);
  expect(markup).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
});

test('what proves a failure is embedded first; a run that is too great is cut with a count', () => {
  const few = embeddedOf(runOf(300));
  expect(few).toMatchObject({ left: 0 });
  expect(few.exchanges).toHaveLength(300);
  const body = 'x'.repeat(4000);
  const run = runOf(20_000);
  const great = {
    ...run,
    exchanges: new Map(
      [...run.exchanges].map(([id, each]) => [id, { ...each, request: { ...each.request, head: `${id}${body}` } }]),
    ),
  };
  const cut = embeddedOf(great);
  expect(cut.left).toBeGreaterThan(10_000);
  expect(cut.left + cut.exchanges.length).toBe(20_000);
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThan(12 * 2 ** 20);
  // Bodies of nothing but what must be escaped take six times the room.
  const angles = new Map(
    [...run.exchanges].map(([id, each]) => [
      id,
      { ...each, request: { ...each.request, head: `${id}${'<'.repeat(4000)}` } },
    ]),
  );
  expect(Buffer.byteLength(embeddedJson({ ...run, exchanges: angles }))).toBeLessThan(12 * 2 ** 20);
  const proof = run.findings.find(({ verdict }) => verdict === 'fail')!.exchanges;
  expect(proof.every((id) => cut.exchanges.some((each) => each.id === id))).toBe(true);
});

test('what is waived says by whom and has no green', () => {
  const text = htmlReport(waivedRun);
  expect(text).toContain('waived by ann@example.org until 2027-01-31: fixed in 2.1 (#12)');
  expect(text).toMatch(/class="verdict tone-fail waived"/);
});

test('runs that did not come to their end say so at the top', () => {
  const { footer, ...footless } = sampleRun;
  expect(htmlReport(footless)).toContain('The run file has no footer');
  expect(htmlReport({ ...footless, findings: [] })).toContain('7 rules got no verdict');
  expect(htmlReport({ ...sampleRun, footer: { ...footer!, interrupted: true } })).toContain(
    '<h1>Interrupted, and it does not conform</h1>',
  );
});

test('pictures: places stay inside, and neither nothing nor too much breaks them', () => {
  const numbers = (text: string): number[] =>
    [...text.matchAll(/points="([^"]*)"/g)].flatMap(([, all]) => all!.split(/[ ,]/).map(Number));
  const places = numbers(String(limitPicture(bucketPicture())));
  expect(places.every((each) => each >= 0 && each <= 1000)).toBe(true);
  const nothing = String(limitPicture({ title: 'x', says: [], points: [], model: [] }));
  expect(nothing).not.toContain('NaN');
  const many = Array.from({ length: 100_000 }, (_, at) => ({ atMs: at, admitted: at % 2 === 0 }));
  expect(String(limitPicture({ title: 'x', says: [], points: many, model: [] })).length).toBeLessThan(300_000);
  expect(ticks(100)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(ticks(0.7)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
  expect(ticks(0)).toEqual([0, 1]);
});

test('charts are plain arrays of one length, offered rates from the plan or its groups', () => {
  const charts = chartsOf(loaded, curveOf());
  expect(charts.map(({ name }) => name)).toEqual(['latency:latency', 'latency:rate', 'latency:percentiles']);
  for (const { data, series } of charts) {
    expect(data).toHaveLength(series.length + 1);
    expect(new Set(data.map(({ length }) => length)).size).toBe(1);
    expect(data.flat().every((each) => each === null || Number.isFinite(each))).toBe(true);
  }
  const { ok } = loaded.latencies;
  const latencies = { ok, limited: { count: 0 }, other: { count: 0 } };
  const groups = [{ name: 'a', plannedPerSecond: 7, from: 0, to: 5, latencies }];
  expect(chartsOf({ ...loaded, groups }, [])[1]?.data[1]?.slice(2, 5)).toEqual([50, 7, 7]);
});

test('a limit of a run becomes a picture: calls in their time, the model over them, its words beside it', () => {
  const run = runOf(60);
  const exchanges = new Map(
    [...run.exchanges].map(([id, each]) => [
      id,
      {
        ...each,
        at: { sent: 5000 + id * 10, end: 5000 + id * 10 },
        response: { ...each.response!, status: id > 20 && id % 10 > 0 ? 429 : 200 },
      },
    ]),
  );
  const model = { kind: 'token bucket', burst: { value: 20 }, perSecond: { value: 10 } };
  const found = { caller: 'main', tier: 'pro', scope: 'key', route: 'POST /run', model, calls: [...exchanges.keys()] };
  const [picture] = picturesOf([found], exchanges, () => ['It is a bucket.']);
  expect(picture).toMatchObject({ title: 'main (pro): POST /run, key', says: ['It is a bucket.'] });
  expect(picture?.points).toHaveLength(60);
  expect(picture?.points[0]).toEqual({ atMs: 0, admitted: true });
  expect(picture?.model[0]).toEqual({ atMs: 0, capacity: 20 });
  expect(String(limitPicture(picture!))).toContain('class="model"');
});
