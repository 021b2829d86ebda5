/** Answers as services give them: words, numbers, times, addresses, tokens, hashes and packed data that hold no secret of the run. */
import { gzipSync } from 'node:zlib';
import { Secret } from '../../src/model/secret.ts';
import { seeded } from '../../src/random.ts';
import { Keyring } from '../../src/secrets/keyring.ts';

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

/** Of several languages and scripts. */
const sentences = [
  'Der Schlüssel ist nicht gültig; bitte prüfen Sie die Kopfzeile und versuchen Sie es später noch einmal.',
  'La requête a été acceptée, mais une des sources n’a pas répondu à temps.',
  'Запрос принят, но один из источников не ответил вовремя.',
  '请求已被接受，但其中一个来源没有及时响应。',
  'リクエストは受け付けられましたが、情報源の一つが時間内に応答しませんでした。',
  'تم قبول الطلب لكن أحد المصادر لم يستجب في الوقت المحدد.',
  'Το αίτημα έγινε δεκτό, αλλά μία από τις πηγές δεν απάντησε εγκαίρως. 🙂',
];

function bytesOf(random: Random, length: number): Buffer {
  const bytes = Buffer.alloc(length + 4);
  for (let at = 0; at < length; at += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return bytes.subarray(0, length);
}

const json64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** As another service's key would sign it. */
const token = (random: Random): string =>
  `${json64({ alg: 'RS256', kid: hexOf(random, 8) })}.${json64({ sub: uuid(random), iat: 1_767_225_600, scope: prose(random, 3) })}.${bytesOf(random, 96).toString('base64url')}`;

const page = (random: Random): string =>
  `<!doctype html><html lang="en"><head><meta name="csrf-token" content="${bytesOf(random, 32).toString('base64')}"><script nonce="${hexOf(random, 16)}" src="/assets/app.${hexOf(random, 8)}.js" integrity="sha384-${bytesOf(random, 48).toString('base64')}"></script></head><body class="a-1 b_2">${Array.from({ length: 12 }, () => `<p id="p${Math.floor(random() * 1e6)}" style="color:#${hexOf(random, 6)}">${prose(random, 12)} &amp; &#169; &nbsp;${sentences[Math.floor(random() * sentences.length)]}</p>`).join('\n')}</body></html>`;

const values: readonly ((random: Random) => unknown)[] = [
  (random) => prose(random, 3 + Math.floor(random() * 20)),
  (random) => uuid(random),
  (random) => hexOf(random, 64),
  (random) => Buffer.from(hexOf(random, 48), 'hex').toString('base64'),
  (random) => gzipSync(prose(random, 20)).toString('base64'),
  token,
  (random) => sentences[Math.floor(random() * sentences.length)],
  (random) =>
    `data:image/png;base64,iVBORw0KGgo${bytesOf(random, 200 + Math.floor(random() * 6000)).toString('base64')}`,
  (random) => bytesOf(random, 20).toString('hex').toUpperCase(),
  (random) => Array.from({ length: 12 }, () => Math.round(random() * 1e6) / 1e3),
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
  if (random() < 0.1) return Buffer.from(`${head('text/html', random)}${page(random)}`, 'utf8').toString('latin1');
  const body = JSON.stringify({ items: Array.from({ length: 1 + Math.floor(random() * 6) }, item), status: 'OK' });
  const told = random() < 0.5 ? body : head('application/json', random) + body;
  return Buffer.from(told, 'utf8').toString('latin1');
}

const head = (type: string, random: Random): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\netag: W/"${bytesOf(random, 20).toString('base64url')}"\r\nset-cookie: id=${token(random)}; Path=/\r\nx-request-id: ${uuid(random)}\r\n\r\n`;

/** Keys of every form, of which none is in any of that. */
export function strangers(count: number): Keyring {
  const random = seeded(7);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const word = (length: number): string =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
  const forms = [() => `vk_live_${hexOf(random, 32)}`, () => `vk_test_${word(32)}`, () => uuid(random), () => word(16)];
  const ring = new Keyring();
  for (let at = 0; at < count; at += 1) ring.register(new Secret(`key-${at}`, forms[at % forms.length]!()));
  return ring;
}

/** Answers of this many bytes together in which something is found, and how many answers there were. */
export function falseHits(
  ring: Keyring,
  bytes: number,
  seed: number,
): { readonly hits: number; readonly answers: number } {
  const random = seeded(seed);
  let answers = 0;
  let hits = 0;
  for (let left = bytes; left > 0; answers += 1) {
    const text = ordinaryAnswer(random);
    left -= text.length;
    if (ring.redact(text) !== text) hits += 1;
  }
  return { hits, answers };
}
