/** Pure: which fields of a head go on to the other side, and what a proxy has to refuse. */

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

export function valuesIn(raw: readonly string[], name: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (raw[at]!.toLowerCase() === name) found.push(raw[at + 1] ?? '');
  return found;
}

const listIn = (raw: readonly string[], name: string): string[] =>
  valuesIn(raw, name).flatMap((value) => value.split(',').map((each) => each.trim().toLowerCase()));

/** In order, case and number as they came, without what is of one connection only. */
export function passedOn(raw: readonly string[], ...without: readonly string[]): string[] {
  const named = listIn(raw, 'connection');
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    // Nobody names the length of a body away.
    const isOfLine = hopByHop.has(name) || (named.includes(name) && name !== 'content-length');
    if (!isOfLine && !without.includes(name)) kept.push(raw[at]!, raw[at + 1] ?? '');
  }
  return kept;
}

export const closes = (raw: readonly string[]): boolean => listIn(raw, 'connection').includes('close');

interface Asked {
  readonly method: string;
  readonly raw: readonly string[];
  readonly host: string;
}

/** The head as the service gets it: its own name as `Host`, and the framing that the body came with. */
export function requestHeadOf({ method, raw, host }: Asked): string[] {
  const hasLength = valuesIn(raw, 'content-length').length > 0;
  const isChunked = listIn(raw, 'transfer-encoding').includes('chunked');
  const framing = isChunked ? ['Transfer-Encoding', 'chunked'] : [];
  const isBare = !hasLength && !isChunked && !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method);
  return [
    'Host',
    host,
    ...passedOn(raw, 'host', ...(isChunked ? ['content-length'] : [])),
    ...framing,
    ...(isBare ? ['Content-Length', '0'] : []),
    ...(listIn(raw, 'te').includes('trailers') ? ['TE', 'trailers'] : []),
  ];
}

export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly detail: string;
}

const refusal = (status: number, error: string, detail: string): Refusal => ({ status, error, detail });

export const noUpgrade = refusal(
  501,
  'not_implemented',
  'Touchstone stands between the client and the service and passes no upgraded connections (WebSocket and others).',
);

export const noTunnel = refusal(
  501,
  'not_implemented',
  'Touchstone stands before one service and opens no tunnels (CONNECT): use its address as the base address.',
);

/** What no client of a service has a reason to send here. */
export function refusalOf(raw: readonly string[], target: string, own: readonly string[]): Refusal | undefined {
  const hosts = valuesIn(raw, 'host');
  if (hosts.length > 1) return refusal(400, 'bad_request', 'The request has more than one Host.');
  const upgrades = listIn(raw, 'upgrade');
  // An offer of HTTP/2 may be passed over, and is then none.
  if (upgrades.length > 0 && !upgrades.every((each) => each === 'h2c')) return noUpgrade;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  if (authority !== undefined && !own.includes(authority.toLowerCase()))
    return refusal(421, 'misdirected_request', 'Touchstone stands before one service and calls no other.');
  return target.startsWith('/') || target === '*' || authority !== undefined
    ? undefined
    : refusal(400, 'bad_request', 'The target of the request is neither a path nor an address.');
}

/** The path alone, also of a target in absolute form. */
export const pathOnly = (target: string): string => {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
};
