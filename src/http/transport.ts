/** One request over one connection: what goes out, what comes back, or how it failed. Knows no secrets, no rules. */
import type { Failure, Header } from '../model/exchange.ts';

export interface WireRequest {
  readonly method: string;
  /** Path and query exactly as they are sent. */
  readonly target: string;
  /** In this order and case. Host and Content-Length are the transport's own, and so is a Connection that is not said to be closed. */
  readonly headers: readonly Header[];
  /** All lines of the head in their order and case, the transport's own among them; if omitted: as the transport writes them. */
  readonly order?: readonly string[];
  /** Another name than that of the address; the connection, and what TLS asks for on it, stay as they are. */
  readonly host?: string;
  /** As old proxies and checks of health speak; if omitted: HTTP/1.1. */
  readonly version?: '1.0';
  readonly body?: Uint8Array;
  /** The body goes out in chunks of this many bytes (`Transfer-Encoding: chunked`), each written by itself. */
  readonly chunkBytes?: number;
}

export interface Route {
  /** Which service: scheme, host and port, as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /**
   * The name of a kept connection, which is opened at first use and used for one exchange at a time (a second one at the
   * same time opens another of that name). Undefined: a connection for this exchange alone, closed after it.
   */
  readonly line?: string;
  readonly localAddress?: string;
}

export interface Limits {
  /** For the whole exchange, from the first attempt to connect to the last byte. */
  readonly timeoutMs: number;
  /** Bytes of a body that are kept; the connection is closed where more come. */
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  /** Status line and header lines as they came (latin1). */
  readonly head: string;
  readonly headers: readonly Header[];
  /** As on the wire, after the transfer coding; content codings are the recorder's matter. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** The heads of informational answers before it (latin1). */
  readonly early?: string;
  /** Bytes that came behind its end, before anything else was asked. */
  readonly surplus?: number;
}

export interface WireOutcome {
  /** Request line and header lines as they were sent (latin1); what would have been sent where nothing was. */
  readonly requestHead: string;
  readonly response?: WireResponse;
  /** Beside a response only where its body failed. */
  readonly failure?: Failure;
  /** By the monotonic clock. */
  readonly at: { readonly sent: number; readonly connected?: number; readonly head?: number; readonly end: number };
  readonly connection: { readonly number: number; readonly use: number; readonly localAddress?: string };
}

export interface Transport {
  /** Never rejects: every way to fail is an outcome. */
  send(request: WireRequest, route: Route, limits: Limits): Promise<WireOutcome>;
  /** Closes a kept connection once it is idle. */
  release(line: string): void;
  close(): Promise<void>;
}
