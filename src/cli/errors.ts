/** Any error as one clear message and an exit code. A stack trace appears on request: TOUCHSTONE_DEBUG=1. */
import { type MistakeCode, mistakes, UserError } from '../mistakes.ts';
import { errorAddress } from '../model/documentation.ts';
import { exitCodes } from '../model/run.ts';
import { documentationBase } from './documentation.ts';

/** Something that the person at the keyboard can put right. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}

export interface Explained {
  readonly text: string;
  readonly exitCode: number;
}

export function explainError(error: unknown): Explained {
  const { name, message, code, syscall, address, port } = parts(error);
  if (name === 'CommanderError' || name === 'InvalidArgumentError')
    return { text: '', exitCode: exitCodeOfCommander(error) };
  if (error instanceof UserError) return told(message, error.mistakes);
  if (name === 'Interrupted') return { text: message, exitCode: exitCodes.interrupted };
  if (syscall === 'listen' || (syscall === 'getaddrinfo' && code !== '')) {
    const place = [address, port].filter((each) => each !== undefined).join(':');
    const why = listenReasons[code] ?? message;
    return told(`cannot listen${place === '' ? '' : ` at ${place}`}: ${why}`, ['cannot-listen']);
  }
  return told(`a fault in Touchstone itself, not in the service: ${message || String(error)}`, ['fault']);
}

/** What is wrong, and for each kind of mistake in it the next step and the code, by which docs/errors.md knows it. */
function told(text: string, codes: readonly MistakeCode[]): Explained {
  const steps = codes.flatMap((code) => {
    const page = errorAddress(code, documentationBase());
    return [`Next: ${mistakes[code].next} [${code}]`, ...(page === undefined ? [] : [`More: ${page}`])];
  });
  const [first = 'fault'] = codes;
  return { text: [text, ...steps].join('\n'), exitCode: exitCodes[mistakes[first].exit] };
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something already listens there',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied (ports below 1024 need privileges)',
  ENOTFOUND: 'the name is unknown',
};

/** Help and version end with 0, and every mistake with 2. */
const exitCodeOfCommander = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'exitCode' in error && error.exitCode === 0 ? 0 : exitCodes.usage;

interface Parts {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
}

const parts = (error: unknown): Parts => {
  if (!(error instanceof Error)) return { name: '', message: String(error), code: '' };
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  return {
    name: error.name,
    message: error.message,
    code: typeof code === 'string' ? code : '',
    ...(syscall === undefined ? {} : { syscall }),
    ...(address === undefined ? {} : { address }),
    ...(port === undefined ? {} : { port }),
  };
};

export const wantsStack = (): boolean => process.env.TOUCHSTONE_DEBUG === '1';
