/** Pure: the address of the service that stands behind. */

export interface Service {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** As `Host` has it. */
  readonly host: string;
  /** What stands before the path of every request. */
  readonly basePath: string;
  /** For people. */
  readonly url: string;
}

/** A sentence if it is not an address of a service. */
export function serviceAt(text: string): Service | string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'it is not an address such as http://127.0.0.1:8080';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it begins with neither http:// nor https://';
  if (url.username !== '' || url.password !== '') return 'it holds credentials: omit them, the client sends its own';
  if (url.search !== '' || url.hash !== '') return 'it has a query or a fragment: name the base address alone';
  const secure = url.protocol === 'https:';
  const basePath = url.pathname.replace(/\/+$/, '');
  return {
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    host: url.host,
    basePath,
    url: `${url.protocol}//${url.host}${basePath}`,
  };
}
