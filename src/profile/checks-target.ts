/** Which lines of a target go together. */
import { isObject, type Json } from '../model/json.ts';
import { members } from './checks.ts';
import { type Path, type Problems, pathKey } from './problems.ts';

const kinds = ['command', 'container', 'compose'] as const;
type Kind = (typeof kinds)[number];

/** Fields that not every kind of target has. */
const ownFields: Readonly<Record<string, readonly Kind[]>> = {
  shell: ['command'],
  folder: ['command'],
  port_in_output: ['command'],
  arguments: ['container'],
  memory: ['container'],
  cpus: ['container'],
  service: ['compose'],
};

export function checkTarget(profile: Json, raw: ReadonlyMap<string, string>, problems: Problems): void {
  const { target, address, disabled } = members(profile);
  if (!isObject(target)) return;
  const given = kinds.filter((kind) => target[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const says = kind === undefined ? 'names nothing to start' : `is ${given.join(' and ')} at once`;
    problems.add(['target'], `${says}: set exactly one of command, container and compose`, 'key');
    return;
  }
  if (address !== undefined)
    problems.add(['address'], 'the run starts the target and then knows its address: remove one of the two', 'key');
  if (disabled !== undefined && target.second !== undefined)
    problems.add(['disabled'], 'is the second instance, and so is `target.second`: remove one of the two', 'key');
  for (const [field, owners] of Object.entries(ownFields))
    if (target[field] !== undefined && !owners.includes(kind))
      problems.add(['target', field], `has no effect for a ${kind}: it is for a ${owners.join(' or a ')}`, 'key');
  checkWords(target, raw, problems);
  checkEnvironment(target.env, ['target', 'env'], problems);
  checkEnvironment(members(target.second).env, ['target', 'second', 'env'], problems);
  checkStore(target.store, kind, problems);
  if (kind === 'command') checkCommand(target, problems);
  if (kind === 'compose')
    for (const field of ['service', 'port'])
      if (target[field] === undefined)
        problems.add(
          ['target', field],
          `\`${field}\` is missing: which ${field} of the compose ${field === 'port' ? 'service' : 'file'} is asked`,
          'key',
        );
  if (Array.isArray(target.restart) && kind !== 'compose')
    problems.add(['target', 'restart'], `a ${kind} has no services to choose from: write true or false`);
}

function checkCommand(target: { readonly [key: string]: Json }, problems: Problems): void {
  const { command, shell, port, port_in_output: pattern, env } = target;
  const path = ['target', 'command'];
  if (typeof command === 'string' && shell !== true)
    problems.add(
      path,
      'is a single text, which only a shell understands: write a list of words, or put `shell: true` next to it',
    );
  if (Array.isArray(command) && shell === true) problems.add(path, 'is a list, but a shell needs a single text');
  const texts = [command, Object.values(members(env)), Object.values(members(members(target.second).env))];
  const placed = JSON.stringify(texts).includes('{port}');
  if (pattern !== undefined && (placed || port !== undefined))
    problems.add(['target', 'port_in_output'], 'the port is set already: remove one of the two', 'key');
  if (!placed && port === undefined && pattern === undefined)
    problems.add(
      path,
      'its port is unknown: put {port} into the command or its environment, or set `port` or `port_in_output`',
      'key',
    );
  if (typeof pattern === 'string' && groupsOf(pattern) < 1)
    problems.add(
      ['target', 'port_in_output'],
      'must be a regular expression with a group, such as "listening on .*:(\\\\d+)"',
    );
}

function groupsOf(pattern: string): number {
  try {
    return (new RegExp(`${pattern}|`).exec('')?.length ?? 0) - 1;
  } catch {
    return -1;
  }
}

/** Every user of the machine can read a command line. */
function checkWords(
  target: { readonly [key: string]: Json },
  raw: ReadonlyMap<string, string>,
  problems: Problems,
): void {
  const lists: [Path, Json | undefined][] = [
    [['target', 'command'], target.command],
    [['target', 'arguments'], target.arguments],
    [['target', 'store', 'command'], members(target.store).command],
  ];
  for (const [path, list] of lists) {
    const words: [Path, Json][] = Array.isArray(list)
      ? list.map((word, index) => [[...path, index], word])
      : list === undefined
        ? []
        : [[path, list]];
    for (const [at, word] of words) {
      if (raw.has(pathKey(at)))
        problems.add(
          at,
          'a value from outside must not be on a command line, where others can read it: put it into `target.env`',
        );
      else if (typeof word === 'string' && word.includes('\0')) problems.add(at, 'contains a zero byte');
    }
    if (Array.isArray(list) && list[0] === '') problems.add([...path, 0], 'is empty: the first word is the program');
  }
}

function checkEnvironment(env: Json | undefined, path: Path, problems: Problems): void {
  for (const [name, value] of Object.entries(members(env))) {
    if (!/^[A-Za-z_][\w.-]*$/.test(name) || name === '__proto__')
      problems.add([...path, name], 'is not a valid name of a variable', 'key');
    if (typeof value === 'string' && value.includes('\0')) problems.add([...path, name], 'contains a zero byte');
  }
}

function checkStore(store: Json | undefined, kind: Kind, problems: Problems): void {
  if (!isObject(store)) return;
  if ((store.path === undefined) === (store.command === undefined))
    problems.add(['target', 'store'], 'set one of `path` and `command`', 'key');
  if (store.service !== undefined && kind !== 'compose')
    problems.add(['target', 'store', 'service'], `a ${kind} has no services`, 'key');
  if (store.here !== undefined && kind === 'command')
    problems.add(['target', 'store', 'here'], 'has no effect for a command, which is on this machine', 'key');
  if (typeof store.path === 'string' && kind !== 'command' && store.here !== true && !store.path.startsWith('/'))
    problems.add(['target', 'store', 'path'], 'is inside the container, so it must begin with /');
}
