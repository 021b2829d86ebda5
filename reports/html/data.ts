/**
 * The exchanges and steps for the script, as JSON. What proves a finding comes first and longest; a run of any size fits,
 * because the rest is cut, and then omitted with a count.
 */
import { describeContext, type Exchange, type Run, type Step } from '../../src/vocabulary.ts';
import { again as againOf } from '../again.ts';
import { inline, visibleLines } from '../text.ts';
import { wireText } from './wire.ts';

/** Bytes of JSON. The page around it is small. */
const mostBytes = 11 * 2 ** 20;
const bodyOfProof = 12_000;
const bodyOfOthers = 1000;
/** When most of the room is used up. */
const bodyAtLast = 160;
const mostSteps = 20_000;

/** `texts` holds each text once; numbers stand for them. */
export interface Embedded {
  readonly texts: readonly string[];
  readonly exchanges: readonly EmbeddedExchange[];
  readonly steps: Readonly<Record<string, readonly EmbeddedStep[]>>;
  /** Exchanges that only the run file has. */
  readonly left: number;
}

interface EmbeddedExchange {
  readonly id: number;
  /** Milliseconds since the run began, and from the first byte sent to the last that came. */
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly waited: number;
  readonly asked: number;
  readonly answered: number;
  readonly sent: number;
  readonly received: number;
  readonly took: number;
  readonly curl?: number;
  readonly notes?: readonly number[];
}

interface EmbeddedStep {
  readonly context: number;
  readonly exchanges: readonly number[];
  readonly twin?: number;
  readonly came?: number;
  readonly ms: number;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

class Texts {
  readonly all: string[] = [];
  readonly #known = new Map<string, number>();
  bytes = 0;

  add(text: string): number {
    const said = visibleLines(text).join('\n');
    const known = this.#known.get(said);
    if (known !== undefined) return known;
    this.#known.set(said, this.all.length);
    this.all.push(said);
    this.bytes += Buffer.byteLength(said, 'utf8') + count(said, /["\\\n]/g) + 5 * count(said, /</g) + 3;
    return this.all.length - 1;
  }
}

/** For the inside of a script element: no `<` is in it, so that nothing can end the element or begin another. */
export const jsonForScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

export const embeddedJson = (run: Run): string => jsonForScript(embeddedOf(run));

export function embeddedOf(run: Run): Embedded {
  const texts = new Texts();
  const steps = stepsOf(run, texts);
  const { proof, named } = ranked(run);
  let bytes = JSON.stringify(steps).length;
  const kept = new Map<number, EmbeddedExchange>();
  const add = (exchange: Exchange | undefined, body: number, withCurl: boolean): boolean => {
    if (exchange === undefined || kept.has(exchange.id)) return true;
    if (bytes + texts.bytes > mostBytes) return false;
    const embedded = embed(exchange, run, texts, body, withCurl);
    bytes += JSON.stringify(embedded).length + 1;
    kept.set(exchange.id, embedded);
    return true;
  };
  for (const id of proof) if (!add(run.exchanges.get(id), bodyOfProof, true)) break;
  for (const id of named) if (!add(run.exchanges.get(id), bodyOfOthers, true)) break;
  for (const exchange of run.exchanges.values()) {
    const body = bytes + texts.bytes > mostBytes * 0.7 ? bodyAtLast : bodyOfOthers;
    if (!add(exchange, body, false)) break;
  }
  const exchanges = [...kept.values()].sort((a, b) => a.id - b.id);
  return { texts: texts.all, exchanges, steps, left: run.exchanges.size - exchanges.length };
}

/** What proves that something is wrong or unknown, then what any finding names. */
function ranked({ findings }: Run): { readonly proof: Set<number>; readonly named: Set<number> } {
  const proof = new Set<number>();
  const named = new Set<number>();
  for (const { verdict, exchanges, reasons } of findings) {
    const own = verdict === 'pass' || verdict === 'observed' ? named : proof;
    for (const id of [...reasons.flatMap(({ exchange }) => exchange ?? []), ...exchanges]) own.add(id);
  }
  return { proof, named };
}

function embed(exchange: Exchange, run: Run, texts: Texts, body: number, withCurl: boolean): EmbeddedExchange {
  const { asked, answered, status, sent, received, took, waited } = wireText(exchange, body);
  const again = withCurl ? againOf(run.header, exchange) : undefined;
  return {
    id: exchange.id,
    at: Math.round(exchange.at.sent),
    ms: Math.round((exchange.at.end - exchange.at.sent) * 10) / 10,
    status,
    waited: Math.round(waited * 100) / 100,
    asked: texts.add(asked),
    answered: texts.add(answered),
    sent: texts.add(sent),
    received: texts.add(received),
    took: texts.add(took),
    ...(again === undefined ? {} : { curl: texts.add(again.command) }),
    ...(again === undefined || again.notes.length === 0 ? {} : { notes: again.notes.map((note) => texts.add(note)) }),
  };
}

function stepsOf({ steps }: Run, texts: Texts): Record<string, EmbeddedStep[]> {
  const byRule: Record<string, EmbeddedStep[]> = {};
  for (const step of steps.slice(0, mostSteps)) {
    const own = byRule[step.rule] ?? [];
    byRule[step.rule] = own;
    const came = wentHow(step);
    own.push({
      context: texts.add(inline(describeContext(step.context), 300)),
      exchanges: step.exchanges,
      ...(step.twin === undefined ? {} : { twin: step.twin }),
      ...(came === undefined ? {} : { came: texts.add(inline(came, 400)) }),
      ms: Math.round(step.tookMs),
    });
  }
  return byRule;
}

function wentHow({ purpose, inapplicable, leftOut, inconclusive, error }: Step): string | undefined {
  if (error !== undefined) return `a fault in Touchstone: ${error}`;
  if (inconclusive !== undefined) return `inconclusive: ${inconclusive}`;
  if (leftOut) return 'skipped: the run would have taken too long';
  if (inapplicable) return 'says nothing about this service';
  return { plan: undefined, again: 'asked again', narrow: 'asked to narrow down the failure' }[purpose];
}
