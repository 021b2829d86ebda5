/** For the tests of the page: a browser, and a service that tries everything to have its words executed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import {
  type Exchange,
  type Finding,
  type Measurement,
  type Run,
  type Verdict,
  verdicts,
} from '../../src/vocabulary.ts';
import { exchange, measurementOf, sampleRun } from '../testing.ts';
import type { LimitPicture } from './limits.ts';

/** Undefined if this machine has none. */
export const browserPath = ((): string | undefined => {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  try {
    return execFileSync('sh', ['-c', names.map((name) => `command -v ${name}`).join(' || ')], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return undefined;
  }
})();

export const launch = (path: string): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Screenshots are kept as what the tests put out. */
export function screenshots(): string {
  const folder = join(import.meta.dirname, '../../touchstone-report/screenshots');
  mkdirSync(folder, { recursive: true });
  return folder;
}

const hit = 'window.hits=(window.hits||0)+1';

/** Each would leave a mark (`window.hits`), open a dialog, ask the network or end the page if it were more than text. */
export const corpus: readonly string[] = [
  `<script>${hit}</script>`,
  `</script><script>${hit}</script>`,
  `</SCRIPT ><script>${hit}</script>`,
  `<!--<script>`,
  `--><script>${hit}</script><!--`,
  `<img src=x onerror="${hit}">`,
  `"><img src=x onerror="${hit}">`,
  `'><img src=x onerror='${hit}'>`,
  `" onmouseover="${hit}" x="`,
  `' onfocus='${hit}' autofocus tabindex='1`,
  `\` onclick=${hit} \``,
  `<svg onload="${hit}">`,
  `<svg><script>${hit}</script></svg>`,
  `<svg><animate onbegin="${hit}" attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>#x"/></svg>`,
  `<iframe src="javascript:parent.hits=1"></iframe>`,
  `<iframe srcdoc="<script>parent.hits=1</script>"></iframe>`,
  `<object data="data:text/html,<script>alert(1)</script>"></object>`,
  `<embed src="https://evil.invalid/embed">`,
  `<link rel="stylesheet" href="https://evil.invalid/style.css">`,
  `<link rel="prefetch" href="https://evil.invalid/prefetch">`,
  `<style>@import "https://evil.invalid/import.css"; body{display:none}</style>`,
  `</style><script>${hit}</script><style>`,
  `<div style="background:url(https://evil.invalid/bg.png);position:fixed;inset:0">x</div>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.invalid/refresh">`,
  `<base href="https://evil.invalid/">`,
  `<form action="https://evil.invalid/form"><button autofocus>go</button></form>`,
  `<a href="javascript:${hit}">click</a>`,
  `<a href="java\tscript:${hit}">click</a>`,
  `<a href="https://evil.invalid/ping" ping="https://evil.invalid/ping">x</a>`,
  `<details open ontoggle="${hit}"><summary>x</summary></details>`,
  `<input autofocus onfocus="${hit}">`,
  `<select autofocus onfocus="${hit}"></select>`,
  `<video><source onerror="${hit}"></video>`,
  `<audio src="https://evil.invalid/a.mp3" autoplay onerror="${hit}"></audio>`,
  `<body onload="${hit}">`,
  `<marquee onstart="${hit}">x</marquee>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${hit}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${hit}>"></noscript>`,
  `<template><script>${hit}</script></template>`,
  `</title><script>${hit}</script>`,
  `</textarea><script>${hit}</script>`,
  `</pre></code></td></table></details></main></body></html><script>${hit}</script>`,
  '<plaintext>',
  '<xmp>',
  `<dialog open><form method="dialog">x</form></dialog>`,
  `&lt;img src=x onerror=${hit}&gt;`,
  `&#60;script&#62;${hit}&#60;/script&#62;`,
  String.raw`\u003cscript\u003ewindow.hits=1\u003c/script\u003e`,
  String.raw`\x3cscript\x3ewindow.hits=1\x3c/script\x3e`,
  '%3Cscript%3Ewindow.hits=1%3C/script%3E',
  '${window.hits=1}',
  "{{constructor.constructor('window.hits=1')()}}",
  '"};window.hits=1;//',
  ']]><script>window.hits=1</script>',
  '\u2028window.hits=1\u2029<script>window.hits=1</script>',
  '\u0000<scr\u0000ipt>window.hits=1</scr\u0000ipt>',
  '+ADw-script+AD4-window.hits+AD0-1+ADw-/script+AD4-',
  '\uff1cscript\uff1ewindow.hits=1\uff1c/script\uff1e',
  '\u202e<tpircs/>1=stih.wodniw<tpircs>\u202c',
  '\ud800<img src=x onerror="window.hits=1">',
  '[click](javascript:window.hits=1) ![x](https://evil.invalid/md.png) <https://evil.invalid>',
  '__proto__',
  'constructor',
];

const verdictOf = (at: number): Verdict => verdicts[at % verdicts.length]!;

/** Every body of the corpus in every place that shows what others said: a rule for each of them and each verdict. */
export function hostileRun(): Run {
  const all = corpus.join(' ');
  const cases = corpus.flatMap((evil, at) =>
    verdicts.map((_, turn) => ({ evil, id: at * verdicts.length + turn + 1, verdict: verdictOf(turn) })),
  );
  const name = (id: number): string => `auth.case-${id}`;
  return {
    limits: [],
    header: {
      ...sampleRun.header,
      touchstone: all,
      target: `http://127.0.0.1/${all}`,
      profile: { name: all, digest: all },
      rules: { version: all, specification: all },
      started: all,
      planned: cases.map(({ evil, id, verdict }) => ({
        rule: name(id),
        level: id % 2 === 0 ? 'required' : 'expected',
        clause: { id: evil, section: evil, says: evil },
        fix: evil,
        contexts: 1,
        ...(verdict === 'untested' ? { untested: { because: evil, add: evil } } : {}),
      })),
    },
    findings: cases.map(
      ({ evil, id, verdict }): Finding => ({
        rule: name(id),
        verdict,
        reasons: (['violation', 'note'] as const).map((weight) => ({
          weight,
          expected: evil,
          came: evil,
          exchange: id,
        })),
        facts: [evil],
        because: evil,
        where: evil,
        asked: { contexts: 1, planned: 2, leftOut: [evil] },
        exchanges: [id],
        ...(id % 3 === 0 ? { waived: { reason: evil, owner: evil, issue: evil, expires: evil } } : {}),
      }),
    ),
    exchanges: new Map(cases.map(({ evil, id }) => [id, hostileExchange(evil, id)])),
    steps: cases.map(({ evil, id }) => ({
      type: 'step',
      rule: name(id),
      context: { key: 'live', connection: 'kept', history: 'first', company: 'alone', case: evil, actor: evil },
      purpose: 'plan',
      evidence: [],
      exchanges: [id],
      tookMs: 1,
      ...(id % 2 === 0 ? { inconclusive: evil } : { error: evil }),
    })),
    measurements: [hostileMeasurement(all)],
    footer: {
      ...sampleRun.footer!,
      ended: all,
      exchanges: cases.length,
      waits: corpus.map((who) => ({ who, times: 1, ms: 1 })),
      leftBehind: corpus,
      remarks: corpus,
    },
  };
}

const hostileExchange = (evil: string, id: number): Exchange =>
  exchange(id, {
    request: {
      method: evil,
      target: `/${evil}`,
      head: `POST /${evil} HTTP/1.1\r\nX-Evil: ${evil}`,
      headers: [
        [evil, evil],
        ['Content-Type', evil],
      ],
      body: { text: evil, bytes: evil.length },
    },
    response: {
      status: 200,
      head: `HTTP/1.1 200 ${evil}\r\nX-Evil: ${evil}`,
      headers: [
        [evil, evil],
        ['Location', evil],
        ['Set-Cookie', evil],
      ],
      body: { text: `${evil} ${JSON.stringify({ [evil]: evil })}`, bytes: evil.length, coding: evil },
    },
    ...(id % 2 === 0 ? { failure: { kind: 'closed-in-body' as const, says: evil } } : {}),
    connection: { number: 1, use: 1, localAddress: evil },
    planted: { nonce: evil, sources: [{ slot: evil, token: evil, behaviour: evil }] },
  });

const hostileMeasurement = (evil: string): Measurement =>
  measurementOf({
    id: evil,
    engine: { name: 'k6', version: evil, model: 'open', workers: 1 },
    target: evil,
    others: [{ what: evil, count: 1 }],
    answers: { checked: 1, wrong: 1, examples: [evil] },
    validity: { verdict: 'invalid', reasons: [{ cause: 'generator', says: evil, change: evil }] },
    thresholds: [{ name: evil, demanded: evil, came: evil, outcome: 'unknown' }],
    conclusions: corpus,
    series: loaded.series,
  });

/** Something to draw. */
export const loaded: Measurement = measurementOf({
  id: 'latency',
  latencies: { ok: { count: 2950 }, limited: { count: 40 }, other: { count: 10 } },
  others: [{ what: '503', count: 10 }],
  series: Array.from({ length: 63 }, (_, at) => ({
    at: at - 3,
    counts: { ok: 48 + (at % 5), limited: at % 17 === 0 ? 8 : 0, other: at % 29 === 0 ? 2 : 0 },
    p50Us: 900 + 200 * Math.sin(at / 5),
    p99Us: 2400 + 900 * Math.abs(Math.sin(at / 9)),
    maxUs: 4000 + (at % 13 === 0 ? 5000 : 600),
    lagP99Us: 300,
  })),
  thresholds: [
    { name: 'latency.p99', demanded: 'at most 5 ms', came: '3.1 ms', outcome: 'met' },
    { name: 'errors', demanded: 'at most 0.1 %', came: '0.3 %', outcome: 'missed' },
  ],
  conclusions: ['Up to 50 requests a second nothing queued.'],
});

export const curveOf = (): { percent: number; ms: number }[] =>
  [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99].map((percent, at) => ({ percent, ms: 0.6 + at * at * 0.08 }));

/** A bucket of 20 with 5 a second, asked 10 times a second. */
export function bucketPicture(): LimitPicture {
  let tokens = 20;
  const points = Array.from({ length: 160 }, (_, at) => {
    tokens = Math.min(20, tokens + (at === 0 ? 0 : 0.5));
    const admitted = tokens >= 1;
    if (admitted) tokens -= 1;
    return { atMs: at * 100, admitted };
  });
  const model = [0, 16_000].map((atMs) => ({ atMs, capacity: 20 + atMs / 200 }));
  return { title: 'the key main', says: ['token bucket: 20 calls at once, then 5 a second.'], points, model };
}
