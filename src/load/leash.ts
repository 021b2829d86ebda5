/** No child outlives us, not even where we are killed outright: somebody small waits for our end of a pipe to close. */
import { spawn } from 'node:child_process';

/** It also removes the folder, in which keys may lie. Returns what takes the leash off, for when the child has ended by itself. */
export function leash(pid: number, folder: string): () => void {
  // `read` comes back when the pipe closes, which the system sees to however we end.
  const watcher = spawn(
    '/bin/sh',
    ['-c', 'read _; kill -KILL "$1" 2>/dev/null; rm -rf "$2"', 'leash', String(pid), folder],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Of its own session: a Ctrl-C in our terminal is for us to answer.
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
    },
  );
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  return () => {
    watcher.kill('SIGKILL');
  };
}
