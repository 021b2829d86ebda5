/** The one owner of standard input and output, standard error and the exit code. */
import { exitCodes } from '../model/run.ts';
import { writeError } from '../runfile/write.ts';
import { explainError, UsageError } from './errors.ts';

/** What was asked for never arrived where it should: no verdict is a success then, and none a violation. */
let outputFailed = false;

/** A reader that went away (`| head`) is no fault; a full disk behind standard output is. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || outputFailed) return;
  outputFailed = true;
  say(`touchstone: ${explainError(writeError('standard output cannot be written', error)).text}`);
  exitWith(exitCodes.incomplete);
});

/** If output is closed, that cannot be reported either. */
process.stderr.on('error', () => {});

const env = process.env;

/** `NO_COLOR`, `FORCE_COLOR` and `TERM` are the user's word; without it, a terminal has colours and a pipe has none. */
function hasColours(stream: NodeJS.WriteStream): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb' && stream.hasColors();
}

export const terminal = {
  colour: hasColours(process.stdout),
  colourOnError: hasColours(process.stderr),
  width: process.stdout.columns,
  // Some terminals say 0, which means that they don't know.
  widthOnError: process.stderr.columns || 80,
  /** Whether a line on standard error may be written over: a terminal, and not one that a CI pretends to be. */
  canUpdate: process.stderr.isTTY === true && env.TERM !== 'dumb' && !isCi(),
};

function isCi(): boolean {
  return (env.CI ?? '') !== '' && env.CI !== 'false' && env.CI !== '0';
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

let hidden = (text: string): string => text;

/** From now on, everything is written without these secrets, whatever their source. */
export function hide({ redact }: { redact(text: string): string }): void {
  const before = hidden;
  hidden = (text) => {
    const shown = before(text);
    const bytes = latin1(shown);
    const clean = redact(bytes);
    return clean === bytes ? shown : utf8(clean);
  };
}

/** A word of the command line may be a key that somebody put in the wrong place: nothing of it is repeated. */
const withoutKeys = (text: string): string => hidden(text).replaceAll(/(vk_(?:live|test)_)[\w-]{8,}/g, '$1«a key»');

export const out = (text: string): void => {
  process.stdout.write(hidden(text.endsWith('\n') ? text : `${text}\n`));
};

/** Without a line's end. */
export const sayOver = (text: string): void => {
  process.stderr.write(withoutKeys(text));
};

export const say = (text: string): void => sayOver(`${text}\n`);

export const exitWith = (code: number): void => {
  process.exitCode = outputFailed ? exitCodes.incomplete : code;
};

/** Only a person at a terminal is asked for anything. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true && !isCi();

/** Asks until the answer will do. Undefined from `whyNot`: it does. Ctrl-D or Ctrl-C end it. */
export async function ask(question: string, whyNot: (answer: string) => string | undefined): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const gone = new Promise<never>((_, reject) => {
    reader.once('close', () => reject(new UsageError('nothing was written, because there was no answer')));
  });
  gone.catch(() => {});
  try {
    for (;;) {
      const answer = (await Promise.race([reader.question(`${question} `), gone])).trim();
      const why = whyNot(answer);
      if (why === undefined) return answer;
      say(`  ${why}`);
    }
  } finally {
    reader.close();
  }
}
