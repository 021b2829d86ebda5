/** Progress of a run: on a terminal a line that is written over, elsewhere a line for each area that is done. */
import { countsInWords, countsOf } from '../../reports/summary.ts';
import { inline, lasting } from '../../reports/text.ts';
import type { RunEvent } from '../engine/options.ts';
import { areaOf } from '../model/rule.ts';
import type { Finding } from '../model/verdict.ts';
import { say, sayOver, terminal } from './output.ts';

export interface Progress {
  on(event: RunEvent): void;
  /** Wipes the line away, so that something else can be said. */
  clear(): void;
}

export const silence: Progress = { on() {}, clear() {} };

export const progress = (now: () => number): Progress => (terminal.canUpdate ? updating(now) : plain());

const everyMs = 100;

function updating(now: () => number): Progress {
  let shown = false;
  let last = Number.NEGATIVE_INFINITY;
  let failed = 0;
  let waiting = '';
  const clear = (): void => {
    if (shown) sayOver('\r\u001b[2K');
    shown = false;
  };
  return {
    clear,
    on(event) {
      if (event.type === 'finding' && event.finding.verdict === 'fail') failed += 1;
      if (event.type === 'waiting') waiting = ` · waiting ${lasting(event.ms)} (${inline(event.who, 30)})`;
      if (event.type === 'ended') clear();
      if (event.type !== 'progress' || now() - last < everyMs) return;
      last = now();
      const done = `${event.done}/${event.steps} ${event.rule}${failed > 0 ? ` · ${failed} failed` : ''}${waiting}`;
      waiting = '';
      shown = true;
      sayOver(`\r\u001b[2K${done.slice(0, terminal.widthOnError - 1)}`);
    },
  };
}

function plain(): Progress {
  const planned = new Map<string, number>();
  const found = new Map<string, Finding[]>();
  const waiting = new Set<string>();
  return {
    clear() {},
    on(event) {
      if (event.type === 'planned') {
        for (const { rule } of event.header.planned) planned.set(areaOf(rule), (planned.get(areaOf(rule)) ?? 0) + 1);
        say(
          `checking ${inline(event.header.target, 200)} with ${event.header.planned.length} rules in ${event.steps} steps, seed ${event.header.seed}`,
        );
      } else if (event.type === 'waiting' && !waiting.has(event.who)) {
        waiting.add(event.who);
        say(`rate-limited: waiting as long as the service says (${inline(event.who, 60)})`);
      } else if (event.type === 'finding') {
        const area = areaOf(event.finding.rule);
        const own = found.get(area) ?? [];
        own.push(event.finding);
        found.set(area, own);
        // An area of which nothing could be asked is the report's matter: a dozen such lines hide the rest.
        const asked = own.some(({ verdict }) => verdict !== 'untested');
        if (asked && own.length === planned.get(area)) say(`${area}: ${countsInWords(countsOf(own))}`);
      }
    },
  };
}
