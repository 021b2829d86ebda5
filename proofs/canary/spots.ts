/** Where in an answer a hostile service can write what it was sent: the bytes of a whole answer. */
import { bytesOf, type Said } from './disguises.ts';

type Write = (said: Said) => Buffer;

/** What the place does not allow goes as percent signs. */
const fitted = (said: Said, allowed: RegExp): string =>
  [...bytesOf(said)]
    .map((byte) => {
      const one = String.fromCharCode(byte);
      return allowed.test(one) ? one : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

/** RFC 9110, section 5.5 and 5.6.2. */
const ofValue = /^[\x21-\x7e\x80-\xff ]$/;
const ofName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]$/;
const ofCookie = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]$/;
const ofAddress = /^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]$/;

const json = 'Content-Type: application/json\r\n';
const refusal = '{"error":"unauthorized","detail":"The key is not known.","actor":null}';

const answer = (
  body: Buffer | string,
  { lines = json, reason = 'Unauthorized', early = '' }: { lines?: string; reason?: string; early?: string } = {},
): Buffer => {
  const content = Buffer.from(body);
  const head = `${early}HTTP/1.1 401 ${reason}\r\n${lines}Content-Length: ${content.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
};

const value = (said: Said): string => fitted(said, ofValue);

export const spots: Readonly<Record<string, Write>> = {
  'member of a JSON body': (said) =>
    answer(
      JSON.stringify({
        error: 'unauthorized',
        detail: `not known: ${typeof said === 'string' ? said : said.toString('latin1')}`,
        actor: null,
      }),
    ),
  'plain body': (said) =>
    answer(typeof said === 'string' ? `The key ${said} is not known.` : said, {
      lines: 'Content-Type: text/plain\r\n',
    }),
  'header value': (said) => answer(refusal, { lines: `${json}X-Told: ${value(said)}\r\n` }),
  'header name': (said) => answer(refusal, { lines: `${json}X-${fitted(said, ofName)}: 1\r\n` }),
  cookie: (said) =>
    answer(refusal, { lines: `${json}Set-Cookie: a=b; Path=/\r\nSet-Cookie: s="${fitted(said, ofCookie)}"\r\n` }),
  'address in Location': (said) =>
    answer(refusal, { lines: `${json}Location: /v1/login?of=${fitted(said, ofAddress)}#x\r\n` }),
  'reason of the status': (said) => answer(refusal, { reason: `No ${value(said)}` }),
  'head of a 103': (said) => answer(refusal, { early: `HTTP/1.1 103 Early Hints\r\nLink: <${value(said)}>\r\n\r\n` }),
};
