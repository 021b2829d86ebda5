/** Writes down what passed, secrets as names. */
import { recordRequest, recordResponse } from '../engine/record.ts';
import { codingOf, decodeBody } from '../http/decode.ts';
import type { Exchange, Failure, Header, RecordedRequest, RecordedResponse } from '../model/exchange.ts';
import { Keyring } from '../secrets/keyring.ts';
import { withoutPacked } from '../secrets/packed.ts';
import type { Copy } from './copy.ts';
import { Credentials } from './credentials.ts';

/** Of one call, what was there when it was over. */
export interface Call {
  readonly id: number;
  readonly head: string;
  readonly rawHeaders: readonly string[];
  readonly method: string;
  readonly target: string;
  readonly body: Copy;
  readonly connection: { readonly number: number; readonly use: number };
  readonly sent: number;
  readonly connected?: number;
  /** Before the first byte of the answer was sent, or when it was clear that none would follow. */
  readonly end: number;
  readonly answer?: {
    readonly status: number;
    readonly head: string;
    readonly rawHeaders: readonly string[];
    readonly body: Copy;
  };
  /** An answer by Touchstone. */
  readonly ours?: RecordedResponse;
  readonly failure?: Failure;
  readonly injected?: string;
}

export interface Notes {
  /** How much of the next body is kept. */
  readonly room: number;
  readonly count: number;
  /** Calls that passed after that, and are not in the record. */
  readonly missed: number;
  note(call: Call): void;
  /** A request that nobody can read as one. */
  unreadable(call: Pick<Exchange, 'id' | 'at' | 'connection'>, request: RecordedRequest, ours: RecordedResponse): void;
}

export interface NotesOptions {
  /** Calls. */
  readonly most: number;
  /** Milliseconds of the clock at which the run began. */
  readonly began: number;
  readonly written: (exchange: Exchange) => void;
}

/** Of one body, and of all of them together. */
const mostOfOne = 2 ** 20;
const mostOfAll = 256 * 2 ** 20;
const leastOfOne = 4096;
const part = 32;

const micros = (ms: number): number => Math.round(ms * 1000) / 1000;

export function takeNotes({ most, began, written }: NotesOptions): Notes {
  const keyring = new Keyring();
  const credentials = new Credentials(keyring);
  let count = 0;
  let missed = 0;
  let left = mostOfAll;
  const isFull = (): boolean => {
    if (count < most) return false;
    missed += 1;
    return true;
  };
  const put = (exchange: Exchange): void => {
    count += 1;
    left -= (exchange.response?.body.text?.length ?? 0) + (exchange.request.body?.text?.length ?? 0);
    written(exchange);
  };
  const cleaned = (request: RecordedRequest): RecordedRequest => {
    const redact = (text: string): string => keyring.redact(text);
    credentials.sent(request.headers.flat(), request.target);
    credentials.said(request.body?.text ?? '');
    return JSON.parse(utf8(redact(latin1(JSON.stringify(request))))) as RecordedRequest;
  };
  return {
    get room() {
      return Math.max(leastOfOne, Math.min(mostOfOne, Math.floor(left / part)));
    },
    get count() {
      return count;
    },
    get missed() {
      return missed;
    },
    unreadable(call, request, ours) {
      if (isFull()) return;
      const at = { sent: micros(call.at.sent - began), end: micros(call.at.end - began) };
      put({
        ...call,
        at,
        purpose: 'ask',
        instance: 'main',
        request: cleaned(request),
        response: ours,
        injected: 'a request that is not HTTP',
      });
    },
    note(call) {
      if (isFull()) return;
      const sent = call.body.whole();
      const passing = [...credentials.sent(call.rawHeaders, call.target), ...credentials.said(sent.toString('latin1'))];
      const { answer } = call;
      const bytes = answer?.body.whole() ?? Buffer.alloc(0);
      const headers = pairsOf(answer?.rawHeaders ?? []);
      const isCut = answer?.body.isCut === true || call.failure !== undefined;
      const room = mostOfOne;
      const decoded = decodeBody(bytes, codingOf(headers), room, isCut);
      passing.push(...credentials.shown(Buffer.from(decoded.bytes).toString('latin1'), answer?.rawHeaders ?? []));
      const redact = (text: string): string => keyring.redact(text, passing);
      const wire = answer && {
        status: answer.status,
        head: answer.head,
        headers,
        body: bytes,
        truncated: answer.body.isCut,
      };
      const response = wire && recordResponse(wire, withoutPacked(decoded, redact, room), redact);
      const request = recordRequest(call.method, call.head, sent.length === 0 ? undefined : sent, redact);
      const failure: Failure | undefined =
        call.failure ??
        (decoded.failed === undefined
          ? undefined
          : decoded.unread
            ? { kind: 'unread-coding', says: 'The body uses a coding that Touchstone cannot read.' }
            : { kind: 'bad-coding', says: 'The body is not in the coding that it names.' });
      put({
        id: call.id,
        purpose: 'ask',
        instance: 'main',
        request: withBytes(request, call.body),
        ...(response === undefined || answer === undefined ? {} : { response: withBytes(response, answer.body) }),
        ...(call.ours === undefined ? {} : { response: call.ours }),
        ...(failure === undefined ? {} : { failure: { kind: failure.kind, says: redact(failure.says) } }),
        at: {
          sent: micros(call.sent - began),
          ...(call.connected === undefined ? {} : { connected: micros(call.connected - began) }),
          end: micros(call.end - began),
        },
        connection: call.connection,
        ...(call.injected === undefined ? {} : { injected: call.injected }),
      });
    },
  };
}

/** What was cut off is counted all the same. */
const withBytes = <T extends RecordedRequest | RecordedResponse>(side: T, { bytes, isCut }: Copy): T =>
  side.body === undefined || !isCut ? side : { ...side, body: { ...side.body, bytes, truncated: true as const } };

const pairsOf = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at): Header[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
