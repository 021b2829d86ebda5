/** An exchange as it went over the wire: the request, the answer, how long each part took, and how to reproduce it. */
import type { Body, Exchange, RunHeader } from '../../src/vocabulary.ts';
import { again } from '../again.ts';
import { cut, inline, lasting } from '../text.ts';
import { html, type Markup } from './markup.ts';

const headShown = 8000;

export interface WireText {
  /** `POST /v1/…`. */
  readonly asked: string;
  /** `401 Unauthorized`, or how it failed. */
  readonly answered: string;
  readonly status: number;
  readonly sent: string;
  readonly received: string;
  /** In words, with what else is worth knowing of it. */
  readonly took: string;
  /** Where the head came, as a share of the whole. */
  readonly waited: number;
}

export function wireText(exchange: Exchange, bodyShown: number): WireText {
  const { request, response, failure, at, connection, purpose, instance, earlier, waitedMs } = exchange;
  const whole = Math.max(at.end - at.sent, 0);
  const head = at.head === undefined ? whole : Math.min(Math.max(at.head - at.sent, 0), whole);
  const line = /^HTTP\/[\d.]+ ([^\r\n]*)/.exec(response?.head ?? '')?.[1];
  const failed = failure === undefined ? '' : `${failure.kind}: ${failure.says}`;
  const words = [
    lasting(whole),
    ...(response === undefined ? [] : [`head after ${lasting(head)}`]),
    ...(connection.number === 0 ? [] : [`request ${connection.use} on connection ${connection.number}`]),
    ...(purpose === 'ask' ? [] : [purpose]),
    ...(instance === 'main' ? [] : [`${instance} instance`]),
    ...((earlier?.length ?? 0) > 0
      ? [
          `earlier attempt:  ${earlier!
            .slice(0, 5)
            .map((id) => `#${id}`)
            .join(', ')}`,
        ]
      : []),
    ...(waitedMs === undefined ? [] : [`after waiting ${lasting(waitedMs)}`]),
  ];
  const answer =
    response === undefined ? '' : `${cut(response.head.trimEnd(), headShown)}\n\n${bodyText(response.body, bodyShown)}`;
  return {
    asked: inline(`${request.method} ${request.target}`, 200),
    answered: inline(line ?? (response === undefined ? (failure?.kind ?? 'no answer') : String(response.status)), 120),
    status: response?.status ?? 0,
    sent: `${cut(request.head.trimEnd(), headShown)}\n\n${request.body === undefined ? '' : bodyText(request.body, bodyShown)}`.trimEnd(),
    received: [answer.trimEnd(), failed].filter((each) => each !== '').join('\n\n'),
    took: words.join(' · '),
    waited: whole === 0 ? 0 : head / whole,
  };
}

function bodyText(body: Body, shown: number): string {
  const remarks = [
    ...(body.coding === undefined ? [] : [`sent as ${body.coding}, shown decoded`]),
    ...(body.truncated ? [`Touchstone kept part of ${body.bytes} bytes`] : []),
  ];
  const text =
    body.text === undefined
      ? body.bytes === 0
        ? ''
        : `(${body.bytes} bytes that are not UTF-8)`
      : cut(body.text, shown);
  return remarks.length === 0 ? text : `${text}\n(${remarks.join('; ')})`;
}

const bodyShown = 4000;

/** As the script draws it too (`client/wire.js`). */
export function wire(exchange: Exchange, header: RunHeader, named: boolean): Markup {
  const { asked, answered, status, sent, received, took, waited } = wireText(exchange, bodyShown);
  const { command, notes } = again(header, exchange);
  return html`<article class="wire"${named && html` id="exchange-${exchange.id}"`}>
<p class="line"><b>#${exchange.id}</b> <code>${asked}</code> <span class="status s${Math.floor(status / 100)}">${answered}</span></p>
<p class="quiet">${bar(waited)} ${took}</p>
<div class="sides"><div><h4>Sent</h4><pre tabindex="0">${sent}</pre></div><div><h4>Got</h4><pre tabindex="0">${received}</pre></div></div>
<h4>Reproduce</h4>
<pre class="curl" tabindex="0">${command}</pre>
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${inline(note, 300)}</li>`)}</ul>`}
</article>`;
}

/** Waiting for the head, then reading the body. */
const bar = (waited: number): Markup =>
  html`<svg class="bar" width="60" height="8" viewBox="0 0 60 8" aria-hidden="true"><rect class="wait" width="${(60 * waited).toFixed(1)}" height="8"/><rect class="read" x="${(60 * waited).toFixed(1)}" width="${(60 * (1 - waited)).toFixed(1)}" height="8"/></svg>`;
