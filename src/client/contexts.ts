/** Pure: the answers of a situation as they are in a context. */
import type { Answer } from '../model/client.ts';
import type { Deviation } from '../model/client-context.ts';

/** Before the situation, where it is to be met by a call that is repeated. */
export const limitedFirst: Answer = {
  status: 429,
  headers: [['Retry-After', '1']],
  body: JSON.stringify({ error: 'rate_limited', detail: 'too many requests', actor: 'web-harvest' }),
};

export function answersIn(own: readonly Deviation[] = [], answers: readonly Answer[]): readonly Answer[] {
  const given = own.includes('large') ? answers.map(enlarged) : answers;
  return own.includes('repeated') ? [limitedFirst, ...given] : given;
}

/** Longer than what stacks read at once; the fields of an item are each service's own. */
const longText = 'words of a long page '.repeat(6000);

/** Each item of a result says more; whatever else is as it was. */
function enlarged(answer: Answer): Answer {
  if (typeof answer.body !== 'string') return answer;
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    return answer;
  }
  if (typeof body !== 'object' || body === null || !('items' in body) || !Array.isArray(body.items)) return answer;
  const items = body.items.map((item: unknown) =>
    typeof item === 'object' && item !== null ? { ...item, text: longText } : item,
  );
  return { ...answer, body: JSON.stringify({ ...body, items }) };
}
