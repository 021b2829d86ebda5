/** A witness that the machine keeps time: it only waits, and looks how late it is woken. */

const napMs = 5;
/** How late the generator of a valid measurement may be, and how often, for 150 requests. */
const lateMs = 5;
const oftenEnough = 2;

export interface Testimony {
  /** How often it was woken too late, and by how much at most. */
  readonly times: number;
  readonly mostMs: number;
  readonly keptTime: boolean;
}

/** Returns what ends it. */
export function witness(): () => Testimony {
  let times = 0;
  let mostMs = 0;
  let timer: NodeJS.Timeout;
  const sleep = (): void => {
    const due = performance.now() + napMs;
    timer = setTimeout(() => {
      const by = performance.now() - due;
      if (by > lateMs) times += 1;
      mostMs = Math.max(mostMs, by);
      sleep();
    }, napMs);
  };
  sleep();
  return () => {
    clearTimeout(timer);
    return { times, mostMs, keptTime: times < oftenEnough };
  };
}
