/** Any error as one clear message and an exit code. A stack trace is for whoever asks: TOUCHSTONE_DEBUG=1. */
import { exitCodes } from '../model/run.ts';

/** Something that the person at the keyboard can put right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Known by their names, so that saying what is wrong loads nothing. */
const ofTheUser = new Set([
  'UsageError',
  'ProfileError',
  'RunFileError',
  'LoadRefused',
  'ClusterRefused',
  'ClusterPlanError',
]);

/** What a person can put right about a place to write to; other faults of writing end a run half-way. */
const placeCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT']);

export interface Explained {
  readonly text: string;
  readonly exitCode: number;
}

export function explainError(error: unknown): Explained {
  const { name, message, code, syscall, address, port } = parts(error);
  if (name === 'CommanderError' || name === 'InvalidArgumentError')
    return { text: '', exitCode: exitCodeOfCommander(error) };
  if (ofTheUser.has(name)) return { text: message, exitCode: exitCodes.usage };
  if (name === 'MissingTool' || name === 'InstallFailed') return { text: message, exitCode: exitCodes.toolMissing };
  if (name === 'RunFileWriteError') {
    return placeCodes.has(code)
      ? { text: `${message}; choose another place with --output`, exitCode: exitCodes.usage }
      : { text: `${message}; what was tested up to then is not a result`, exitCode: exitCodes.incomplete };
  }
  if (syscall === 'listen' || (syscall === 'getaddrinfo' && code !== '')) {
    const place = [address, port].filter((each) => each !== undefined).join(':');
    const why = listenReasons[code] ?? message;
    return { text: `cannot listen${place === '' ? '' : ` at ${place}`}: ${why}`, exitCode: exitCodes.usage };
  }
  return {
    text: `a fault of Touchstone itself, not of the service: ${message || String(error)}\nSet TOUCHSTONE_DEBUG=1 to see where.`,
    exitCode: exitCodes.incomplete,
  };
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied (ports below 1024 need rights)',
  ENOTFOUND: 'the name is not known',
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
