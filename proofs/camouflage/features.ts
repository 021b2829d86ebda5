/**
 * What a service could look at in one request: its head's lines, their order, case and values, the how-manieth on its connection it is,
 * and the forms of path, key and body. Pure.
 */
export interface Seen {
  readonly head: string;
  readonly body: string;
  /** The how-manieth request on its connection. */
  readonly use: number;
}

/** Letters, digits and signs, each run of one kind as one. */
const shape = (text: string): string =>
  text
    .slice(0, 400)
    .replaceAll(/[a-z]+/g, 'a')
    .replaceAll(/[A-Z]+/g, 'A')
    .replaceAll(/[0-9]+/g, '0');

/** A population has all versions of its clients. */
const unversioned = (text: string): string => text.replaceAll(/\/[\d.]+/g, '/');

/** How it is sent, and how it is written: members, their order and their kinds, but no values and not how many. */
export function featuresOf({ head, body, use }: Seen): string[] {
  const [request = '', ...lines] = head.trimEnd().split('\r\n');
  const fields = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const names = fields.map(([name]) => name);
  const fieldOf = (wanted: string): string => fields.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  const [method = '', target = ''] = request.split(' ');
  const agent = unversioned(fieldOf('user-agent'));
  const uses = use === 1 ? 'first' : use < 6 ? 'few' : use < 15 ? 'many' : 'very many';
  return [
    `method ${method}`,
    `client ${agent}`,
    `order ${names.join()}`,
    `order of ${agent} ${method} ${names.join()}`,
    ...names.map((name) => `has ${name}`),
    ...names.slice(1).map((name, at) => `${names[at]} then ${name}`),
    ...['accept', 'accept-encoding', 'connection', 'content-type'].map((name) => `${name} ${fieldOf(name)}`),
    `key ${shape(fieldOf('x-api-key'))} ${fieldOf('x-api-key').length}`,
    `path ${shape(target)}`,
    `body ${skeletonOf(body)}`,
    `spaced ${/[,:] /.test(body)} ${agent}`,
    `use ${uses}`,
    `use of ${agent} ${uses}`,
    `use of ${method} ${uses}`,
  ];
}

/** What it says, too: the forms of all texts, and how long they are together. */
export function wordsOf({ body }: Seen): string[] {
  // Where sources are is the tester's own choice, and known to the operator of the service.
  const said = body.replaceAll(/https?:\/\/[^/"]+/g, 'http://s');
  const texts = [...said.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => `text ${shape(text!)}`);
  return [`body shape ${shape(said)}`, `body length ${Math.ceil(Math.log2(said.length + 1))}`, ...new Set(texts)];
}

function skeletonOf(body: string): string {
  try {
    return JSON.stringify(bones(JSON.parse(body)));
  } catch {
    return shape(body);
  }
}

function bones(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(bones(each))))].toSorted();
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bones(each)]));
}
