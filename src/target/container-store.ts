/** The store of a service in a container: a path inside of it, or what a program prints there. */
import { PassThrough, Readable } from 'node:stream';
import { type Container, plain, statusOf } from './container-runtime.ts';
import { readFrames } from './frames.ts';
import { collect } from './output.ts';
import { readStream, StoreError, withDeadline } from './store.ts';
import type { Surroundings } from './target.ts';

type From = { readonly path: string } | { readonly command: readonly string[] };
type Around = Pick<Surroundings, 'clock' | 'signal' | 'keyring'>;

export async function readInside(container: Container, from: From, around: Around): Promise<Uint8Array> {
  try {
    return await ('path' in from
      ? readPath(container, from.path, around)
      : readPrinted(container, from.command, around));
  } catch (error) {
    if (error instanceof StoreError || around.signal.aborted) throw error;
    throw new StoreError(`the store cannot be read: ${plain(error)}`);
  }
}

/** As the archive that the engine makes of it: the bytes of each file are in it as they are. */
async function readPath(container: Container, path: string, around: Around): Promise<Uint8Array> {
  let stream: Readable;
  try {
    stream = Readable.from(await container.getArchive({ path }));
  } catch (error) {
    if (statusOf(error) === 404) throw new StoreError(`the store ${path} does not exist inside the container`);
    throw error;
  }
  const kill = (): void => void stream.destroy();
  return withDeadline(`reading ${path}`, around, kill, () => readStream(stream, path, kill));
}

async function readPrinted(container: Container, command: readonly string[], around: Around): Promise<Uint8Array> {
  const what = `the store command ${command[0]}`;
  const exec = await container.exec({ Cmd: [...command], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({ hijack: false, stdin: false });
  const errors = collect([], around.keyring);
  const out = new PassThrough();
  const frames = readFrames();
  stream.on('data', (chunk: Buffer) => {
    const { out: printed, err } = frames.add(chunk);
    errors.add(err);
    if (!out.write(printed)) stream.pause();
  });
  out.on('drain', () => stream.resume());
  stream.on('end', () => out.end());
  stream.on('error', (error: Error) => out.destroy(error));
  const kill = (): void => {
    stream.destroy();
    out.destroy(new Error('ended'));
  };
  const bytes = await withDeadline(what, around, kill, () => readStream(out, what, kill));
  const { ExitCode } = await exec.inspect();
  if (ExitCode === 0) return bytes;
  const said = errors.last();
  throw new StoreError(`${what} failed: it ended with exit code ${ExitCode}${said === '' ? '' : `\n${said}`}`);
}
