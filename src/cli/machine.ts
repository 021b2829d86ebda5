/** What this machine has to offer: programs, addresses, variables. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import { note, ok, type Point } from '../doctor/point.ts';
import { canListenAt } from '../target/ports.ts';

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

export const proxiesSet = (): string[] => proxyNames.filter((name) => (process.env[name] ?? '') !== '');

export const machinePoints = async (origin: string): Promise<Point[]> =>
  Promise.all([proxies(), addresses(origin), k6(), docker(), browser()]);

function proxies(): Point {
  const set = proxiesSet();
  return set.length === 0
    ? ok('proxies', 'no variable sets one')
    : note('proxies', `${set.join(', ')}: set, but not used; Touchstone connects to the service itself`);
}

const isLoopback = (origin: string): boolean => /^https?:\/\/(?:127\.|localhost(?::|$)|\[::1\])/.test(origin);

/** Several addresses distinguish limits of an address from limits of a key. */
async function addresses(origin: string): Promise<Point> {
  const enough = 'so limits of an address and limits of a key can be distinguished';
  if (isLoopback(origin)) {
    if (await canListenAt('127.0.0.2')) return ok('addresses', `all of 127.0.0.0/8 is this machine's, ${enough}`);
    return note(
      'addresses',
      'this machine has only 127.0.0.1 of 127.0.0.0/8: limits of an address cannot be distinguished',
    );
  }
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outward = own.filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0));
  if (outward.length > 1) return ok('addresses', `this machine has ${outward.length} addresses, ${enough}`);
  return note('addresses', 'this machine has only one address: limits of an address cannot be distinguished from here');
}

async function k6(): Promise<Point> {
  // Where `load` looks, so that the two agree.
  const [{ candidates }, { surroundings }] = await Promise.all([
    import('../load/k6/find.ts'),
    import('./load/tools.ts'),
  ]);
  const found = await candidates(surroundings());
  const used = found.find(({ wrong }) => wrong === undefined);
  if (used !== undefined) return ok('k6', `${used.version}, ${used.from === 'PATH' ? 'on the path' : used.from}`);
  const why = found.map(({ path, wrong }) => `${path}: ${wrong}`).join('; ');
  return note(
    'k6',
    why === '' ? 'not found' : why,
    'Load tests need k6 2; `touchstone tools` says where it is looked for',
  );
}

async function docker(): Promise<Point> {
  const said = await saysOf('docker', ['version', '--format', '{{.Server.Version}}']);
  if (said !== undefined && /^\d/.test(said)) return ok('docker', `engine ${said}`);
  return find(['docker']) === undefined
    ? note('docker', 'not found on the path', 'Only targets of the kinds container and compose need it')
    : note('docker', 'its engine does not answer', 'Only targets of the kinds container and compose need it');
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'firefox', 'microsoft-edge'];

function browser(): Point {
  const found = find(browsers);
  return found === undefined
    ? note('browser', 'not found on the path', 'Only reading HTML reports here needs one')
    : ok('browser', found);
}

/** The first of the names that is a program on the path. */
function find(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.find((name) =>
    folders.some((folder) => {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

/** The first line of what a program says; undefined if it is not there, fails, or takes too long. */
const saysOf = (program: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 5000, maxBuffer: 64 * 1024, env: forTools() }, (error, out) =>
      resolve(error === null ? out.split('\n')[0]?.trim() : undefined),
    );
  });

/** What a tool needs to find itself and its daemon; our keys are in the environment too, and it must not get them. */
const forTools = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(?:PATH|HOME|TMPDIR|DOCKER_\w+|XDG_\w+)$/.test(name) ? [[name, value]] : [],
    ),
  );
