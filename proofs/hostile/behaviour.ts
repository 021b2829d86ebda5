/** What a hostile service does, and what must come of it. Behaviours are a few lines each, in files by family. */
import type { Socket } from 'node:net';
import type { ServiceRequest, ServiceResponse } from '../../fixtures/service/index.ts';

/** One request that has come in, and all that a behaviour may do about it. */
export interface Meeting {
  readonly socket: Socket;
  readonly request: ServiceRequest;
  /** 1 for the first request of the service. */
  readonly turn: number;
  /** What the lawful service answers. */
  readonly lawful: ServiceResponse;
  /** An address that must never be called: its callers are counted. */
  readonly trap: string;
  /** Bytes as they stand on the wire, latin1 where they are text. */
  write(bytes: string | Uint8Array): void;
  /** The same, and no more comes. */
  end(bytes: string | Uint8Array): void;
  /** Calls again and again until the connection is gone. */
  every(ms: number, call: () => void): void;
  /** An answer with a length, framed as it should be. */
  answer(response: ServiceResponse): void;
  /** Like the lawful service; a pass here is correct. */
  lawfully(): void;
}

/** Which requests are met with hostility; all others are answered lawfully. */
export type Place = (request: ServiceRequest, lawful: ServiceResponse) => boolean;

/**
 * What must come of a check. `unreachable`: exit code 4, nothing passes. `nothing`: answers come, and none is good for a pass: 1 or
 * 3. `hurt`: what was met there passes in no rule: 1 or 3. `slight`: the same, but no rule that must be kept is broken by it: 0.
 * `tolerated`: odd, but allowed by HTTP and the specification: 0.
 */
export type Outcome = 'unreachable' | 'nothing' | 'hurt' | 'slight' | 'tolerated';

export interface Behaviour {
  readonly name: string;
  readonly family: string;
  readonly at: Place;
  readonly must: Outcome;
  /** What the report must say about it, in its own words. */
  readonly says?: RegExp;
  /** What these requests got may be called a pass all the same by some rules, and why. */
  readonly but?: { readonly rules: RegExp; readonly because: string };
  readonly does: (meeting: Meeting) => void;
  /** Before any request: what to do with a connection as soon as it is open. True: nothing more is read from it. */
  readonly greets?: (socket: Socket) => boolean;
  /** Spoken to by TLS; with `none` the service does not speak it. */
  readonly tls?: 'expired' | 'self-signed' | 'trusted' | 'none';
  /** The harness has to wait for what does not come: tried with a deadline that is soon over. */
  readonly waits?: true;
  /** Measured against the memory limit in a process of its own. */
  readonly heavy?: true;
}

type Rest = Omit<Behaviour, 'name' | 'family' | 'at' | 'must' | 'does' | 'says'>;

/** A row of the table. */
export const row =
  (family: string) =>
  (name: string, at: Place, must: Outcome, says: RegExp, does: Behaviour['does'], rest: Rest = {}): Behaviour => ({
    family,
    name,
    at,
    must,
    says,
    does,
    ...rest,
  });

export const everything: Place = () => true;
export const runs: Place = ({ method, target }) => method === 'POST' && target.includes('/run-sync-');
/** Runs that the lawful service would have let succeed. */
export const goodRuns: Place = (request, lawful) => runs(request, lawful) && lawful.status < 300;
export const reads: Place = ({ method, target }, { status }) =>
  method === 'GET' && /^\/v1\/actors\/[\w-]+$/.test(target) && status === 200;
export const verifies: Place = ({ target }, { status }) => target.startsWith('/v1/auth/verify') && status === 200;
export const refusals: Place = (_request, { status }) => status >= 400;

/** A head with these lines, and a body without anything that says how long it is. */
export const head = (first: string, ...lines: string[]): string => `${[first, ...lines].join('\r\n')}\r\n\r\n`;
export const json = 'Content-Type: application/json';
export const ok = 'HTTP/1.1 200 OK';

/** A whole answer with a body of JSON text. */
export const whole = (body: string, ...lines: string[]): string =>
  head(ok, json, `Content-Length: ${Buffer.byteLength(body)}`, ...lines) + Buffer.from(body).toString('latin1');

/** The lawful answer's body. */
export const textOf = ({ lawful }: Meeting): string => Buffer.from(lawful.body).toString('utf8');

/** With the lawful status, this text or these bytes for a body. */
export const says =
  (of: (lawful: string, m: Meeting) => string | Uint8Array): Behaviour['does'] =>
  (m) =>
    m.answer({
      ...m.lawful,
      headers: m.lawful.headers.filter(([name]) => name !== 'content-length'),
      body: of(textOf(m), m),
    });

/** These rules may pass on what was met, and no other. */
export const only = (because: string, ...rules: readonly string[]): Pick<Behaviour, 'but'> => ({
  but: { rules: new RegExp(`^(?:${rules.join('|').replaceAll('.', '\\.')})$`), because },
});

/** Of runs that are answered well but for their type, which is a warning. */
export const bodyIsGood = only(
  'the body is as it should be',
  'run.answers-belong-to-requests',
  'run.clean-run-is-not-partial',
  'run.success-shape',
);

/** Refusals are recognised by status alone; their bodies are judged by rules of their own. */
export const byStatus = {
  but: {
    rules: /^(?!run\.|partial\.|verify\.valid|verify\.tier|error\.shape)/,
    because: 'the status codes are as they should be',
  },
};
