/** What the witness tells, and how sensitive it is. */

/** Between these moments, by the monotonic clock, time was lost. */
export interface Notice {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Between two looks at the clock. */
export const napMs = 3;
/** Woken later than this, it was kept from running. */
export const wokenLateMs = 4;
/** Of a tenth of a second, over all processors; the kernel counts in tens. */
export const stolenMs = 20;
