/**
 * The journal of a run: which keys it made in the service, and by what they are removed. Written line by line before and after each
 * is made, so that a run that is killed loses nothing; a file of its own, because the run file begins only when the plan is known,
 * waits for batches, and is handed on. Once everything is removed, the journal is removed too.
 */
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../mistakes.ts';
import type { Journal } from '../model/journal.ts';
import { writeError } from './write.ts';

const line = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('journal'),
    version: z.literal(1),
    target: z.string(),
    owner: z.string(),
    started: z.string(),
  }),
  z.strictObject({ type: z.literal('creating'), name: z.string(), tier: z.string(), mark: z.string(), at: z.string() }),
  z.strictObject({ type: z.literal('created'), name: z.string(), id: z.string().exactOptional() }),
  z.strictObject({ type: z.literal('gone'), name: z.string() }),
]);
type Line = z.output<typeof line>;

export interface JournalOptions {
  readonly folder: string;
  readonly target: string;
  /** Whose run it is, so that nobody cleans up behind one that goes on. */
  readonly owner: string;
  readonly date: () => string;
}

export interface OpenJournal extends Journal {
  /** Nothing of the run is left in the service: then neither is the file. */
  close(): void;
}

const named = /^created(?:-\d+)?\.jsonl$/;
const mostOfOneFolder = 10_000;

/** Makes no file before there is something to write down. */
export function openJournal({ folder, target, owner, date }: JournalOptions): OpenJournal {
  let file: { readonly path: string; readonly number: number } | undefined;
  const open = new Set<string>();
  const append = (entry: Line): void => {
    try {
      if (file === undefined) {
        file = newFile(folder);
        whole(file.number, { type: 'journal', version: 1, target, owner, started: date() });
      }
      whole(file.number, entry);
    } catch (error) {
      throw writeError(`the journal of created keys cannot be written to ${folder}`, error);
    }
  };
  return {
    creating(name, tier, mark) {
      append({ type: 'creating', name, tier, mark, at: date() });
      open.add(name);
    },
    created: (name, id) => append({ type: 'created', name, ...(id === undefined ? {} : { id }) }),
    gone(name) {
      open.delete(name);
      append({ type: 'gone', name });
    },
    close() {
      if (file === undefined) return;
      closeSync(file.number);
      const { path } = file;
      file = undefined;
      if (open.size > 0) return;
      try {
        rmSync(path, { force: true });
      } catch (error) {
        // Its folder may have become a file meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
      }
    },
  };
}

/** Several runs may write into one folder: each has a file that nobody else opens. */
function newFile(folder: string): { readonly path: string; readonly number: number } {
  for (let number = 1; number < mostOfOneFolder; number += 1) {
    const path = join(folder, number === 1 ? 'created.jsonl' : `created-${number}.jsonl`);
    try {
      return { path, number: openSync(path, 'ax', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`there are ${mostOfOneFolder} journals already`);
}

function whole(file: number, entry: Line): void {
  const bytes = Buffer.from(`${JSON.stringify(entry)}\n`, 'utf8');
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
}

export interface LeftKey {
  readonly name: string;
  /** Undefined: the run did not live to learn it. */
  readonly id?: string;
  readonly tier: string;
  /** What its record may hold, by which it is found in the list then. */
  readonly mark: string;
  /** When the service was asked to make it. */
  readonly at: string;
}

export interface LeftJournal {
  readonly path: string;
  readonly target: string;
  readonly owner: string;
  /** What nobody has removed yet. */
  readonly keys: readonly LeftKey[];
}

export class JournalError extends UserError {
  override readonly name = 'JournalError';

  constructor(says: string) {
    super(says, 'journal');
  }
}

/** One journal, or all of a folder. */
export function readJournals(place: string): LeftJournal[] {
  try {
    if (!statSync(place).isDirectory()) return [readJournal(place)];
    const names = readdirSync(place).filter((name) => named.test(name));
    return names
      .toSorted((a, b) => a.length - b.length || a.localeCompare(b))
      .map((name) => readJournal(join(place, name)));
  } catch (error) {
    if (error instanceof JournalError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new JournalError(`${place} does not exist`);
    throw new JournalError(`${place} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readJournal(path: string): LeftJournal {
  // The run may have been killed in the middle of its last line: that was never acted upon.
  const text = readFileSync(path, 'utf8');
  // Whatever else somebody names is not ours, and must not be taken for a journal that nothing is left of.
  if (text !== '' && !text.startsWith('{"type":"journal"'.slice(0, text.length)))
    throw new JournalError(`${path} is not a journal: name the folder of a run, or its created.jsonl`);
  const lines = text.split('\n').slice(0, -1);
  const [head, ...entries] = lines.map((each, at) => lineOf(each, `${path}:${at + 1}`));
  if (head === undefined) return { path, target: '', owner: '', keys: [] };
  if (head.type !== 'journal') throw new JournalError(`${path}:1 is not the first line of a journal`);
  const keys = new Map<string, LeftKey>();
  for (const entry of entries) {
    if (entry.type === 'creating') {
      const { name, tier, mark, at } = entry;
      keys.set(name, { name, tier, mark, at });
    } else if (entry.type === 'gone') keys.delete(entry.name);
    else if (entry.type === 'created') {
      const key = keys.get(entry.name);
      if (key !== undefined && entry.id !== undefined) keys.set(entry.name, { ...key, id: entry.id });
    }
  }
  return { path, target: head.target, owner: head.owner, keys: [...keys.values()] };
}

function lineOf(text: string, where: string): Line {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    throw new JournalError(`${where} is not a line of a journal`);
  }
}

/** Written at once, so that a cleaning process can be killed as well. */
export function strike(path: string, name: string): void {
  try {
    const file = openSync(path, 'a');
    try {
      whole(file, { type: 'gone', name });
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw writeError(`${path} cannot be written`, error);
  }
}

export const removeJournal = (path: string): void => rmSync(path, { force: true });
