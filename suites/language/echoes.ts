/** Secrets that came back. The recorder writes each as its name in guillemets, whatever form it had. */
import { answerText, type Exchange, succeeded } from '../../src/vocabulary.ts';
import { isRun } from './answers.ts';

const named = /(vk_(?:live|test)_)?«([^«»\s]{1,120})»/g;

/** A hash is not the secret, nor is the identifier of a record; a key that was never sent may occur in any text. */
const harmless = (name: string): boolean => /^sha256(?:-\w+)?:|(?:^|:)shown:/.test(name) || name.endsWith(':id');

/** Names that are ours by their form: other credentials of the run, and codings of one. */
const ours =
  /^(?:admin-token|disabled-key|created-\d+)(?:[-:]|$)|^(?:url|part|reversed|spelt|base64|base32|hex|codes|utf16):/;

/** What an answer to somebody with a right to it may show: a preview, or the half of a key that is no secret. */
const isPreview = (name: string, exchange: Exchange): boolean => name.startsWith('part:') && succeeded(exchange);

/**
 * The names of the secrets that an answer shows. The text of others may hold words in guillemets too: a name counts with
 * the prefix of a key before it, where it is ours by its form, or where the request sent it. The items of a run are
 * anybody's text, in which a word that happens to be the name of the key is a word.
 */
export function echoesIn(exchange: Exchange): readonly string[] {
  const text = answerText(exchange);
  if (!text.includes('«')) return [];
  const sent =
    isRun(exchange) && succeeded(exchange) ? '' : exchange.request.headers.map(([, value]) => value).join('\n');
  const found = [...text.matchAll(named)].flatMap(([whole, prefix, name = '']) => {
    if (harmless(name) || isPreview(name, exchange)) return [];
    return prefix !== undefined || ours.test(name) || sent.includes(`«${name}»`) ? [whole] : [];
  });
  return [...new Set(found)];
}

const coding = /^(?:url|part|reversed|spelt|base64|base32|hex|codes|utf16):/;

/** Of the names that somebody else was told, those of secrets that the request sent, in whatever coding. */
export function secretsSent({ request }: Exchange, heard: readonly string[]): readonly string[] {
  const sent = request.headers.map(([, value]) => value).join('\n');
  return heard
    .filter((name) => !harmless(name) && sent.includes(`«${name.replace(coding, '')}»`))
    .map((name) => `«${name}»`);
}
