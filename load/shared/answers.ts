/** Whether an answer belongs to its request. Undefined: it does. */
export function wrongIn(body: unknown, nonce: string | undefined): string | undefined {
  if (typeof body !== 'string') return 'an answer without a body';
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return 'an answer that is not JSON';
  }
  if (typeof answer !== 'object' || answer === null) return 'an answer that is not an object';
  const { items, status } = answer as { items?: unknown; status?: unknown };
  if (!Array.isArray(items)) return 'an answer without a list of items';
  if (typeof status !== 'string') return 'an answer without a status';
  if (status === 'PARTIAL') return 'a PARTIAL answer: less was done than was asked';
  if (nonce !== undefined && !JSON.stringify(items).includes(nonce)) return 'items of another request';
  return undefined;
}
