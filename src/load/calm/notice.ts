/** What the witness receives and reports, and how sensitive it is. */

export interface Orders {
  /** Not 0: it ends. */
  readonly stop: SharedArrayBuffer;
  /** Of a service on this machine. */
  readonly pid?: number;
  readonly cores: number;
}

/** Between these moments, by the monotonic clock, time was lost; or the service itself had half of the machine, and lost time is its own doing. */
export interface Notice {
  readonly what: 'lost' | 'served';
  readonly fromMs: number;
  readonly toMs: number;
}

/** Between two looks at the clock. */
export const napMs = 3;
/** Woken later than this, it was kept from running. */
export const wokenLateMs = 4;
/** Of a tenth of a second, over all processors; the kernel counts in tens. */
export const stolenMs = 20;
/** Of all processors, from which on a service is in our way. */
export const servedShare = 0.5;
