/** Ways of measuring wrongly, each provoked on the real engines: every one must be named for what it is. */
import type { InvalidCause } from '../../../src/model/measurement.ts';
import type { Figure } from '../measure.ts';
import { loading, service } from './around.ts';
import { k6Of, quota, signal } from './harm.ts';

interface Way {
  readonly name: string;
  readonly scenario?: string;
  /** Of the service, as its program takes them. */
  readonly service?: readonly string[];
  readonly args?: readonly string[];
  readonly harm?: (pid: number) => () => void;
  readonly cause: InvalidCause | 'refused';
  readonly says: RegExp;
}

/** Once, so long after k6 has begun; or after Touchstone has, where there is no k6. */
const once =
  (afterMs: number, act: (pid: number) => void, begun = (pid: number) => k6Of(pid).length > 0) =>
  (pid: number): (() => void) => {
    let timer: NodeJS.Timeout | undefined;
    const waiting = setInterval(() => {
      if (timer === undefined && begun(pid)) timer = setTimeout(() => act(pid), afterMs);
    }, 20);
    return () => {
      clearInterval(waiting);
      clearTimeout(timer);
    };
  };

const stalled =
  (who: (pid: number) => readonly number[], ms: number) =>
  (pid: number): void => {
    const pids = who(pid);
    signal(pids, 'SIGSTOP');
    setTimeout(() => signal(pids, 'SIGCONT'), ms);
  };

const short = ['--rate', '50', '--warm-up', '1s', '--duration', '4s'];

const ways: readonly Way[] = [
  { name: 'k6 has a tenth of a processor', harm: quota(0.1), cause: 'generator', says: /late|never sent|instead of/ },
  {
    name: 'k6 stands still for most of the time',
    harm: once(1500, stalled(k6Of, 3200)),
    cause: 'generator',
    says: /late|never sent/,
  },
  {
    name: 'too few requests may be under way',
    service: ['slow'],
    args: ['--vus', '3'],
    cause: 'generator',
    says: /never sent|under way/,
  },
  {
    name: 'more than this machine can send',
    args: ['--rate', '60000', '--vus', '200', '--duration', '3s'],
    cause: 'generator',
    says: /never sent|instead of|late|busy/,
  },
  {
    name: 'k6 is killed in the middle',
    harm: once(2500, (pid) => signal(k6Of(pid), 'SIGKILL')),
    cause: 'generator',
    says: /SIGKILL|137/,
  },
  { name: 'a limit of the key', service: ['limited'], cause: 'limiter', says: /were 429: what was measured is/ },
  { name: 'answers of others', service: ['others'], cause: 'wrong-answers', says: /items of another request/ },
  { name: 'a service that fails', service: ['errors'], cause: 'wrong-answers', says: /500/ },
  {
    name: 'a service that is gone in the middle',
    service: ['gone', '100'],
    cause: 'wrong-answers',
    says: /connection refused|reset|EOF/i,
  },
  { name: 'too few answers', args: ['--rate', '1', '--duration', '2s'], cause: 'too-few-samples', says: /answer/ },
  {
    name: 'autocannon: each connection is closed',
    scenario: 'smoke',
    service: ['closing'],
    cause: 'refused',
    says: /close/i,
  },
  {
    name: 'autocannon: answers of others',
    scenario: 'saturation',
    service: ['others'],
    cause: 'wrong-answers',
    says: /items of another/,
  },
  {
    name: 'autocannon: it stands still for a second',
    scenario: 'saturation',
    harm: once(
      2500,
      stalled((pid) => [pid], 1000),
      () => true,
    ),
    cause: 'generator',
    says: /stalled/,
  },
  {
    name: 'autocannon: a limit of the key',
    scenario: 'saturation',
    service: ['limited'],
    cause: 'limiter',
    says: /were 429/,
  },
];

const ofOwn: Readonly<Record<string, readonly string[]>> = {
  latency: short,
  smoke: ['--duration', '2s'],
  saturation: ['--warm-up', '500ms', '--duration', '3s'],
};

async function named(way: Way): Promise<string | undefined> {
  const { address, stop } = await service(...(way.service ?? []));
  try {
    const scenario = way.scenario ?? 'latency';
    const { measurement, said } = await loading(
      scenario,
      address,
      [...ofOwn[scenario]!, ...(way.args ?? [])],
      way.harm,
    );
    if (way.cause === 'refused')
      return measurement === undefined && way.says.test(said) ? undefined : `not refused: ${said}`;
    if (measurement === undefined) return `nothing was measured: ${said}`;
    const { verdict, reasons } = measurement.validity;
    const all = reasons.map((reason) => `${reason.cause}: ${reason.says}`).join('; ');
    if (verdict === 'valid') return 'called valid';
    return reasons.some((reason) => reason.cause === way.cause && way.says.test(reason.says)) ? undefined : all;
  } finally {
    stop();
  }
}

export async function provoked(): Promise<Figure[]> {
  const wrong: string[] = [];
  for (const way of ways) {
    const otherwise = await named(way);
    if (otherwise !== undefined) wrong.push(`\n    ${way.name}: ${otherwise}`);
  }
  return [
    {
      what: `${ways.length} provoked ways of measuring wrongly`,
      value: `${ways.length - wrong.length} named for what they are${wrong.join('')}`,
      goal: 'all',
      reached: wrong.length === 0,
    },
  ];
}
