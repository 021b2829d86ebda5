/** `Retry-After` as the reading has it: digits, seconds. Anything else is unreadable, and nobody waits by it. */

export const secondsTold = (value: string | undefined): number | undefined =>
  value !== undefined && /^0*[0-9]{1,12}$/.test(value) ? Number(value) : undefined;

/** In milliseconds; 0 where nothing can be read. */
export const toldMsOf = ({ retryAfter }: { readonly retryAfter?: string | undefined }): number =>
  1000 * (secondsTold(retryAfter) ?? 0);

export const isReadable = (value: string | undefined): boolean => value !== undefined && /^[0-9]+$/.test(value);
