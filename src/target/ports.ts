/** Ports of this machine. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { freshSeed } from '../random.ts';

/**
 * Below those that systems give to outgoing connections: one of these may have the port of a target at the moment when it
 * starts again.
 */
const lowest = 20_000;
const highest = 32_000;

/** One that nobody listens at, neither on this machine's own address nor on all of them. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    // Where all of these are taken, any other.
    const wanted = attempt < 20 ? lowest + (freshSeed() % (highest - lowest)) : 0;
    const port = await listenable(wanted);
    if (port !== undefined && (attempt >= 25 || !(await isTaken(port)))) return port;
  }
}

/** Whether a program could listen there now. */
export const isFree = async (port: number): Promise<boolean> => (await listenable(port)) !== undefined;

const listenable = (wanted: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Whether somebody answers there already, who would be judged instead of what is started. */
export async function isTaken(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => connects(host, port)));
  return answers.includes(true);
}

/** Whether anybody takes a connection at this address. */
export function listens(origin: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(origin);
  const usual = protocol === 'https:' ? 443 : 80;
  return connects(hostname.replace(/^\[|\]$/g, ''), port === '' ? usual : Number(port));
}

const connects = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const end = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', end(true));
    socket.once('error', end(false));
    socket.once('timeout', end(false));
  });

/** Whether this is an address of this machine; what the system lists omits bridges that nobody is on yet. */
export const canListenAt = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
