/** Secrets in disguise: spelt otherwise, in escapes, packed in something, or all of it. */
import { type Detector, type Hit, type Look, sight } from './detector.ts';
import { plainReadingsOf, type Reading, readingsOf } from './unescaping.ts';
import { deepest, packedIn } from './unpacking.ts';

/** In order, none over another. */
export function hiddenIn(text: string, detector: Detector): readonly Hit[] {
  const look = detector.look(text);
  // Most texts hold nothing that is worth another look.
  if (look.hits.length === 0 && look.runs.length === 0 && look.seen === 0) return look.hits;
  const all: Hit[] = [...look.hits, ...packedHits(text, look, detector, deepest)];
  for (const reading of viewsOf(text, look)) {
    const again = detector.look(reading.text);
    all.push(...moved(again.hits, reading), ...moved(packedHits(reading.text, again, detector, deepest), reading));
  }
  return all.length === 0 ? all : apart(all, text.length);
}

function* viewsOf(text: string, { seen }: Look): Generator<Reading> {
  if ((seen & (sight.indices | sight.wide)) !== 0) yield* plainReadingsOf(text);
  if ((seen & sight.escapes) === 0) return;
  for (const reading of readingsOf(text)) {
    yield reading;
    // What is written otherwise may be in a text of JSON, or in an address.
    for (const { text: inner, from } of plainReadingsOf(reading.text))
      yield { text: inner, from: from.map((at) => reading.from[at]!) };
  }
}

/** A run in which something is packed goes as a whole. */
function* packedHits(text: string, look: Look, detector: Detector, depth: number): Generator<Hit> {
  for (const { begin, end, inside } of packedIn(text, look)) {
    const name = worstIn(inside, detector, depth - 1);
    if (name !== undefined) yield { begin, end, name };
  }
}

/** What is in there; where there are several, one that is no hash. */
function worstIn(text: string, detector: Detector, depth: number): string | undefined {
  const look = detector.look(text);
  if (look.hits.length === 0 && look.runs.length === 0 && look.seen === 0) return undefined;
  const names: string[] = look.hits.map(({ name }) => name);
  const deeper = (within: string, at: Look): void => {
    if (depth === 0 || !names.every(isHash)) return;
    for (const { inside } of packedIn(within, at)) {
      const name = worstIn(inside, detector, depth - 1);
      if (name !== undefined) names.push(name);
    }
  };
  deeper(text, look);
  for (const reading of viewsOf(text, look)) {
    const again = detector.look(reading.text);
    names.push(...again.hits.map(({ name }) => name));
    deeper(reading.text, again);
  }
  const open = names.filter((name) => !isHash(name));
  return open.find((name) => !name.startsWith('part:')) ?? open[0] ?? names[0];
}

const isHash = (name: string): boolean => name.startsWith('sha256');

function* moved(hits: Iterable<Hit>, { from }: Reading): Generator<Hit> {
  // The last of it may be an escape, or a letter of several bytes.
  for (const { begin, end, name } of hits) yield { begin: from[begin]!, end: from[end]!, name };
}

/** Those that hide most go first; of a hash and a secret in one place, the secret. */
function apart(hits: readonly Hit[], size: number): readonly Hit[] {
  const rank = ({ name }: Hit): number => (name.startsWith('part:') ? 2 : isHash(name) ? 1 : 0);
  const chosen: Hit[] = [];
  const taken = new Uint8Array(size);
  for (const hit of [...hits].sort((a, b) => rank(a) - rank(b) || b.end - b.begin - (a.end - a.begin))) {
    if (taken[hit.begin] === 1 || taken[hit.end - 1] === 1) continue;
    taken.fill(1, hit.begin, hit.end);
    chosen.push(hit);
  }
  return chosen.sort((a, b) => a.begin - b.begin);
}
