/** Which process of this machine answers at a port: what it takes of the machine must be known where it is in our way. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A listener on behalf of somebody else. */
const proxies = /^(docker-proxy|rootlessport|slirp4netns|pasta|ssh|kubectl)$/;

/** Undefined: nobody that may be looked at. */
export function listenerAt(port: number): number | undefined {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listening(table, port)));
  if (sockets.size === 0) return undefined;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => !proxies.test(nameOf(pid)) && holds(pid, sockets));
}

/** `sl local remote state … inode`, the port in hexadecimal, 0A for who listens. */
function listening(table: string, port: number): string[] {
  try {
    const rows = readFileSync(`/proc/net/${table}`, 'latin1').split('\n').slice(1);
    return rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/ +/);
      return state === '0A' && Number.parseInt(local.split(':')[1] ?? '', 16) === port ? [`socket:[${inode}]`] : [];
    });
  } catch {
    return [];
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function holds(pid: number, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((each) => sockets.has(linkOf(`${folder}/${each}`)));
  } catch {
    return false;
  }
}

/** It may have been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
