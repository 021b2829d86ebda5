/** `Retry-After` as the reading has it: digits, seconds. Anything else is unreadable, and nobody waits by it. */

export const secondsTold = (value: string | undefined): number | undefined =>
  value !== undefined && /^0*[0-9]{1,9}$/.test(value) ? Number(value) : undefined;

export const isReadable = (value: string | undefined): boolean => value !== undefined && /^[0-9]+$/.test(value);
