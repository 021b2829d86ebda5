/** Pure: what a program said became of its run, from its exit code and its output. */
import type { ClientOutcome } from '../model/client.ts';
import { type Data, isObject, type Json } from '../model/json.ts';
import { clientOutcomes, type ProfileClient, type Saying } from '../profile/profile-client.ts';

export interface Spoken {
  /** Undefined: a signal ended it. */
  readonly exit: number | undefined;
  readonly output: string;
}

export function outcomeOf(says: ProfileClient['says'], spoken: Spoken): ClientOutcome {
  if (says !== undefined) return says.find(({ when }) => fits(when, spoken))?.outcome ?? 'unclear';
  const told = toldIn(spoken.output);
  if (told !== undefined) {
    const word = outcomeWord(told);
    if (word !== undefined) return word;
  }
  // Without words of its own, what every shell takes an exit code for.
  if (spoken.exit === undefined || spoken.exit > 125) return 'unclear';
  if (spoken.exit === 0) return 'complete';
  return spoken.exit === 2 ? 'partial' : 'failed';
}

function fits({ exit, output }: Saying, spoken: Spoken): boolean {
  if (exit !== undefined && (spoken.exit === undefined || !exit.includes(spoken.exit))) return false;
  return output === undefined || new RegExp(output, 'm').test(spoken.output);
}

/** The last line that is a JSON object with an outcome; else the last that is a JSON object. */
export function toldIn(output: string): { readonly [key: string]: Json } | undefined {
  let last: { readonly [key: string]: Json } | undefined;
  for (const line of output.split(/\r?\n/).reverse()) {
    const value = objectIn(line.trim());
    if (value === undefined) continue;
    if (outcomeWord(value) !== undefined) return value;
    last ??= value;
  }
  return last;
}

function objectIn(text: string): { readonly [key: string]: Json } | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // A line of a log that happens to begin so.
    return undefined;
  }
}

const wordMembers = ['outcome', 'result', 'status', 'state'];

const meanings: Readonly<Record<string, ClientOutcome>> = {
  ...Object.fromEntries(clientOutcomes.map((word) => [word, word])),
  completed: 'complete',
  success: 'complete',
  succeeded: 'complete',
  ok: 'complete',
  error: 'failed',
  failure: 'failed',
  fail: 'failed',
};

export function outcomeWord(told: { readonly [key: string]: Json }): ClientOutcome | undefined {
  for (const name of wordMembers) {
    const word = told[name];
    const meant = typeof word === 'string' ? meanings[word.toLowerCase()] : undefined;
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** As the run file keeps it: not more than a person would look at. */
export function kept(told: { readonly [key: string]: Json }): Data | undefined {
  const text = JSON.stringify(told);
  return text.length > 4096 ? shortened(told) : (JSON.parse(text) as Data);
}

/** Lists become their lengths, long texts their beginnings. */
function shortened(value: { readonly [key: string]: Json }): Data {
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([name, each]) => [
        name,
        Array.isArray(each) ? each.length : typeof each === 'string' ? each.slice(0, 200) : scalar(each),
      ]),
  );
}

const scalar = (value: Json): Data =>
  value === null || typeof value === 'number' || typeof value === 'boolean' ? value : null;

/** Which of these words an output shows. A client that passes JSON on may leave the escapes in it as they are. */
export function shownIn(output: string, words: readonly string[]): string[] {
  const plain = output.replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return words.filter((word) => plain.includes(word));
}
