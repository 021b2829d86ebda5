/** What a service says while it runs: its last lines, kept without secrets and shown without harm. */
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Keyring } from '../secrets/keyring.ts';

const kept = 64 * 1024;
const linesShown = 20;
const longestLine = 400;

export interface Output {
  /** Calls back with each whole line, as it came; returns what ends that. */
  onLine(call: (line: string) => void): () => void;
  add(chunk: Buffer): void;
  last(): string;
}

export function collect(streams: readonly (Readable | null)[], keyring: Keyring): Output {
  let text = '';
  let cut = false;
  let rest = '';
  const readers = new Set<(line: string) => void>();
  const add = (chunk: Buffer): void => {
    const more = chunk.toString('latin1');
    text += more;
    if (text.length > 2 * kept) {
      text = text.slice(-kept);
      cut = true;
    }
    if (readers.size === 0) return;
    const lines = (rest + more).split(/\r?\n/);
    // A line without end is passed on in part, so that a test can wait for it.
    rest = (lines.pop() ?? '').slice(-longestLine);
    for (const line of rest === '' ? lines : [...lines, rest]) for (const read of readers) read(line.slice(0, 4096));
  };
  for (const stream of streams) stream?.on('data', add).on('error', () => {});
  return {
    add,
    onLine(call) {
      readers.add(call);
      return () => readers.delete(call);
    },
    last: () => shown(text, cut, keyring),
  };
}

/** Secrets are looked for in the whole, before lines are chosen: a part of one would not be found. */
export function shown(text: string, cut: boolean, keyring: Keyring): string {
  const whole = cut ? text.slice(text.indexOf('\n') + 1) : text;
  const lines = Buffer.from(keyring.redact(whole), 'latin1')
    .toString('utf8')
    .split(/\r\n|\r|\n/)
    .map(harmless);
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-linesShown)
    .map((line) => `  | ${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line}`)
    .join('\n');
}

/** Without colours and whatever else would command the terminal. */
const harmless = (line: string): string =>
  stripVTControlCharacters(line).replaceAll(/\p{C}/gu, (each) => (each === '\t' ? ' ' : ''));

/** After a sentence: the last lines, or that there were none. */
export const withOutput = (sentence: string, output: string): string =>
  output === '' ? `${sentence}; it wrote nothing` : `${sentence}; its last lines:\n${output}`;
