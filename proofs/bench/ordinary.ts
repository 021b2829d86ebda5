/** Answers as services give them: words, numbers, times, addresses, tokens, hashes and packed data that hold no secret of the run. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

type Random = () => number;

const words =
  'the key header input field value request actor items status run source answer limit tier plan time page list name error detail is not valid must be of a and for with missing unknown wait seconds admin token text number'.split(
    ' ',
  );

const hexOf = (random: Random, length: number): string =>
  Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');

const uuid = (random: Random): string => hexOf(random, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');

const prose = (random: Random, count: number): string =>
  Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');

const values: readonly ((random: Random) => unknown)[] = [
  (random) => prose(random, 3 + Math.floor(random() * 20)),
  (random) => uuid(random),
  (random) => hexOf(random, 64),
  (random) => Buffer.from(hexOf(random, 48), 'hex').toString('base64'),
  (random) => gzipSync(prose(random, 20)).toString('base64'),
  (random) => `e30.${Buffer.from(JSON.stringify({ sub: uuid(random), iat: 1_767_225_600 })).toString('base64url')}.x`,
  (random) =>
    `https://${words[Math.floor(random() * words.length)]}.example/${hexOf(random, 20)}?q=${encodeURIComponent(prose(random, 3))}`,
  (random) => Math.floor(random() * 1e15),
  (random) => Array.from({ length: 20 }, () => Math.floor(random() * 256)),
  (random) => ({ type: 'Buffer', data: [...Buffer.from(hexOf(random, 32), 'hex')] }),
  (random) => `vk_live_${hexOf(random, 4)}…${hexOf(random, 4)}`,
  (random) => new Date(1_767_225_600_000 + Math.floor(random() * 1e10)).toISOString(),
  (random) => `"${prose(random, 4)}"\n\t\u00fc ${prose(random, 2)}`,
];

/** As latin1, the way in which answers are looked at. */
export function ordinaryAnswer(random: Random): string {
  const item = (): object =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `${words[at]}_${at}`,
        values[Math.floor(random() * values.length)]!(random),
      ]),
    );
  const body = JSON.stringify({ items: Array.from({ length: 1 + Math.floor(random() * 6) }, item), status: 'OK' });
  const etag = createHash('sha1').update(body).digest('base64url');
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\netag: W/"${etag}"\r\nx-request-id: ${uuid(random)}\r\n\r\n`;
  return Buffer.from(random() < 0.5 ? body : head + body, 'utf8').toString('latin1');
}
