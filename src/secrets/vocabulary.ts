/** What is in answers by right: a secret that is made of such words is not found by a part of it. */
import { gram, plainly } from './spellings.ts';

const words = `
  x-api-key x-admin-token content-type application/json authorization bearer basic token api key admin token secret password
  /v1/admin/keys /v1/actors /v1/auth/verify run-sync-get-dataset-items invalid_input not_found unauthorized forbidden rate_limited
  vk_live_ vk_test_ undefined null true false admin-token-admin-token test-key-test-key this-is-a-secret-key my-secret-token
  changeme changeme changeme example example example development production localhost localhost
  abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz 01234567890123456789012345678901234567890123456789
  98765432109876543210 0123456789abcdef0123456789abcdef qwertyuiopasdfghjklzxcvbnm
`;

const lines = words.split(/\s*\n\s*/).map(plainly);
const grams = new Set<string>();
for (const line of lines) for (let at = 0; at + gram <= line.length; at += 1) grams.add(line.slice(at, at + gram));

/**
 * Whether somebody may have said just that without knowing any secret: words of the trade, or the same again and again. Three
 * characters beside it change nothing: nested JSON says `"e": {"a": [{"a": [{"a": [`.
 */
export const isCommon = (text: string): boolean =>
  grams.has(text) || [0, 1, 2, 3].some((from) => isRepeated(text.slice(from, from + text.length - 3)));

/** The same of fewer letters. */
export const isCommonPart = (text: string): boolean => lines.some((line) => line.includes(text)) || isRepeated(text);

function isRepeated(text: string): boolean {
  for (let period = 1; period <= 4; period += 1) {
    let at = period;
    while (at < text.length && text.charCodeAt(at) === text.charCodeAt(at - period)) at += 1;
    if (at === text.length) return true;
  }
  return false;
}
