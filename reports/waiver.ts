/** A waiver in words: the same in every format. */
import type { Waived } from '../src/vocabulary.ts';

/** `waived by a@b until 2027-01-31: why (issue)`. */
export const waiverOf = ({ reason, owner, issue, expires }: Waived): string =>
  `waived by ${owner}${expires === undefined ? '' : ` until ${expires}`}: ${reason}${issue === undefined ? '' : ` (${issue})`}`;
