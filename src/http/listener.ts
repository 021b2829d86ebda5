/**
 * Whether a service on this machine is spoken to directly. Behind a container's port or a proxy all callers have one address;
 * the listening process is known on Linux only, and only with the permission to look.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Programs that listen in somebody else's name. */
const goBetweens =
  /^(?:docker-proxy|rootlessport|slirp4netns|pasta|gvproxy|nginx|haproxy|envoy|traefik|caddy|socat|ssh|kubectl|kube-proxy)/;

export function listensItself(origin: string): boolean {
  const { hostname, port, protocol } = new URL(origin);
  if (!/^(?:127\.|localhost$|\[::1\]$)/.test(hostname)) return false;
  try {
    const sockets = socketsAt(Number(port || (protocol === 'https:' ? 443 : 80)));
    const names = sockets.size === 0 ? [] : ownersOf(sockets);
    return names.length > 0 && names.every((name) => !goBetweens.test(name));
  } catch {
    return false;
  }
}

/** The inodes of the sockets that listen at a port, from the kernel's table. */
function socketsAt(port: number): Set<string> {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const found = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === '0A' && local.endsWith(`:${wanted}`) && inode !== undefined) found.add(`socket:[${inode}]`);
    }
  }
  return found;
}

function ownersOf(sockets: ReadonlySet<string>): string[] {
  const names: string[] = [];
  for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const open = readdirSync(`/proc/${process}/fd`);
      if (open.some((fd) => sockets.has(linkOf(`/proc/${process}/fd/${fd}`))))
        names.push(readFileSync(`/proc/${process}/comm`, 'utf8').trim());
    } catch {
      // It ended, or is somebody else's: then the listener stays unknown.
    }
  }
  return names;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
