/** One call on its way to the service, and its answer on its way back: byte by byte, and nothing held but a copy for the record. */
import { type ClientRequest, type IncomingMessage, request, type ServerResponse, STATUS_CODES } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { give } from '../client/answering.ts';
import type { Clock } from '../clock.ts';
import { failureOf } from '../http/failures.ts';
import type { Failure, RecordedResponse } from '../model/exchange.ts';
import { Copy } from './copy.ts';
import { closes, passedOn, pathOnly, requestHeadOf } from './heads.ts';
import type { Line } from './line.ts';
import type { Call } from './notes.ts';
import type { Service } from './service.ts';

export interface Passing {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly line: Line;
  readonly body: Copy;
  /** The client waits for a word before it sends its body. */
  readonly expects: boolean;
  /** The answer is read, and the client gets none: its connection is broken. */
  readonly breaks: boolean;
}

export interface Ending extends Pick<Call, 'end' | 'connected' | 'answer' | 'failure' | 'injected'> {
  readonly ours?: RecordedResponse;
}

interface Around {
  readonly clock: Clock;
  readonly service: Service;
  readonly room: number;
  /** Some bytes of the service have come. */
  answered(): void;
}

const headTexts = (status: number, reason: string, raw: readonly string[]): string => {
  let text = `HTTP/1.1 ${status} ${reason}\r\n`;
  for (let at = 0; at < raw.length; at += 2) text += `${raw[at]}: ${raw[at + 1]}\r\n`;
  return `${text}\r\n`;
};

const torn = { ended: false, reached: true, secure: false, unfinished: 0 } as const;

const takenBack: Failure = {
  kind: 'interrupted',
  says: 'the client closed the connection before it had the whole answer',
};
const sentHalf: Failure = {
  kind: 'interrupted',
  says: 'the client closed the connection in the middle of its request',
};

/** Resolves when the call is over, however it ended. Never rejects. */
export function relay(passing: Passing, { clock, service, room, answered }: Around): Promise<Ending> {
  const { message, response, line, body, expects, breaks } = passing;
  return new Promise((resolve) => {
    let connected: number | undefined;
    let answer: Call['answer'];
    let end: number | undefined;
    let done = false;
    let continued = false;
    let left: number | undefined;
    const finish = (how: Partial<Ending>): void => {
      if (done) return;
      done = true;
      line.client.off('end', leave);
      resolve({
        end: end ?? clock.now(),
        ...(connected === undefined ? {} : { connected }),
        ...(answer === undefined ? {} : { answer }),
        ...how,
        // The client was not waiting any more, so the outcome does not matter.
        ...(left === undefined ? {} : { end: left, failure: takenBack }),
      });
    };
    const call = begin(passing, service);
    let leave = (): void => {};
    if (typeof call === 'string') {
      finish(ownAnswer(passing, 400, 'bad_request', call, clock));
      return;
    }
    // A client that is gone and one that only sends no more look the same: the service gets the end of the request, and does what it would do without Touchstone.
    leave = () => {
      if (end === undefined) left = clock.now();
      if (message.complete) call.socket?.end();
    };
    line.client.once('end', leave);
    line.watch(call);
    call.once('socket', (socket) => {
      if (!socket.connecting) connected = clock.now();
      else
        socket.once(service.secure ? 'secureConnect' : 'connect', () => {
          connected = clock.now();
        });
    });
    call.on('continue', () => {
      if (!expects || response.headersSent) return;
      continued = true;
      response.writeContinue();
    });
    call.on('information', ({ statusCode, headers }) => {
      if (statusCode === 103 && headers.link !== undefined && !response.headersSent)
        response.writeEarlyHints({ link: headers.link });
    });

    message.on('data', (part: Buffer) => body.take(part));
    message.on('end', () => {
      if (message.rawTrailers.length > 0) call.addTrailers(pairsOf(message.rawTrailers));
    });
    message.on('error', () => {
      call.destroy();
      finish({ failure: sentHalf });
    });
    message.pipe(call);

    response.on('close', () => {
      if (done || response.writableFinished) return;
      call.destroy();
      finish({ failure: takenBack });
    });

    call.on('error', (error) => {
      if (done) return;
      const phase = connected === undefined ? 'connecting' : answer === undefined ? 'waiting' : 'body';
      const failure = failureOf(error, { ...torn, phase, reached: connected !== undefined, secure: service.secure });
      message.unpipe(call);
      if (phase === 'connecting') {
        finish({
          ...ownAnswer(passing, 502, 'bad_gateway', `The service was not reached: ${failure.says}.`, clock),
          injected: `no connection to the service: ${failure.says}`,
        });
        return;
      }
      end ??= clock.now();
      finish({ failure });
      line.reset();
    });

    call.on('response', (incoming) => {
      answered();
      const copy = new Copy(room);
      const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = incoming;
      answer = { status, head: headTexts(status, reason, rawHeaders), rawHeaders, body: copy };
      end = clock.now();
      incoming.on('data', (part: Buffer) => copy.take(part));
      incoming.on('error', (error) => {
        finish({ failure: failureOf(error, { ...torn, phase: 'body' }) });
        line.reset();
      });
      if (breaks) {
        incoming.on('end', () => {
          finish({
            failure: {
              kind: 'reset-before-head',
              says: 'Touchstone broke the connection instead of passing the answer',
            },
          });
          line.reset();
        });
        return;
      }
      if (expects && !continued) response.shouldKeepAlive = false;
      sendHead(response, incoming);
      incoming.pipe(response, { end: false });
      incoming.on('end', () => {
        if (!incoming.complete) return;
        if (incoming.rawTrailers.length > 0) response.addTrailers(pairsOf(incoming.rawTrailers));
        response.end();
        finish({});
      });
    });
  });
}

/** A sentence where no request can be made of it. */
function begin({ message, line, expects }: Passing, service: Service): ClientRequest | string {
  const method = message.method ?? 'GET';
  const options = {
    method,
    host: service.hostname,
    port: service.port,
    path: service.basePath + pathOnly(message.url ?? '/'),
    headers: requestHeadOf({ method, raw: message.rawHeaders, host: service.host }),
    maxHeaderSize: 256 * 1024,
  };
  try {
    const call = (service.secure ? tlsRequest : request)({ ...options, agent: line.agent });
    if (expects) call.flushHeaders();
    return call;
  } catch {
    return 'The head of the request holds characters that HTTP does not allow.';
  }
}

function sendHead(response: ServerResponse, { statusCode = 0, statusMessage, rawHeaders }: IncomingMessage): void {
  response.sendDate = false;
  if (closes(rawHeaders)) response.shouldKeepAlive = false;
  response.writeHead(statusCode, statusMessage ?? STATUS_CODES[statusCode] ?? '', passedOn(rawHeaders));
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

/** An error body by Touchstone, in the form of the specification. */
export function ownAnswer(
  { message, response, expects }: Pick<Passing, 'message' | 'response' | 'expects'>,
  status: number,
  error: string,
  detail: string,
  clock: Clock,
): Ending {
  const end = clock.now();
  // A client that waits for a 100 before the body may never send it: then the beginning of the next request is unknown.
  const keep = response.shouldKeepAlive && !expects;
  const given = give(
    response,
    message,
    { status, body: JSON.stringify({ error, detail }) },
    { keep, acceptsCoding: '' },
  );
  message.resume();
  return { end, ...(given.response === undefined ? {} : { ours: given.response }), injected: error };
}
