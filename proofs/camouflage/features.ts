/**
 * What a service could look at in one request: its head's lines, their order, case and values, the how-manieth on its connection it is,
 * and the shapes of path, key and body. Pure.
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

/** Where sources are is the tester's own choice, and known to whoever runs the service. */
const elsewhere = (body: string): string => body.replaceAll(/https?:\/\/[^/"]+/g, 'http://s');

const magnitude = (count: number): number => Math.ceil(Math.log2(count + 1));

export function featuresOf({ head, body, use }: Seen): string[] {
  const [request = '', ...lines] = head.trimEnd().split('\r\n');
  const fields = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const names = fields.map(([name]) => name);
  const valueOf = (wanted: string): string => fields.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  const [method = '', target = ''] = request.split(' ');
  const agent = unversioned(valueOf('user-agent'));
  const said = elsewhere(body);
  const strings = [...said.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => `text ${shape(text!)}`);
  const uses = use === 1 ? 'first' : use < 6 ? 'few' : use < 15 ? 'many' : 'very many';
  return [
    `method ${method}`,
    `client ${agent}`,
    `order ${names.join()}`,
    `order of ${agent} ${method} ${names.join()}`,
    ...names.map((name) => `has ${name}`),
    ...names.slice(1).map((name, at) => `${names[at]} then ${name}`),
    ...['accept', 'accept-encoding', 'connection', 'content-type'].map((name) => `${name} ${valueOf(name)}`),
    `key ${shape(valueOf('x-api-key'))} ${valueOf('x-api-key').length}`,
    `path ${shape(target)}`,
    `body ${shape(said)}`,
    `body length ${magnitude(said.length)}`,
    `spaced ${/[,:] /.test(said)} ${agent}`,
    `use ${uses}`,
    `use of ${agent} ${uses}`,
    `use of ${method} ${uses}`,
    ...new Set(strings),
  ];
}
