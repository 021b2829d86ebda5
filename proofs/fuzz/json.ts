/** A JSON text, harmed in what it says: members omitted, renamed, said twice, of another type, nested, in other spelling. */
import type { Random } from '../../src/random.ts';
import { few, number, one } from './chance.ts';
import { oddJson, oddNames } from './odd.ts';

type Node =
  | { readonly kind: 'object'; members: [string, Node][] }
  | { readonly kind: 'list'; items: Node[] }
  /** The verbatim text, so that it can hold what no JavaScript value can. */
  | { readonly kind: 'text'; text: string };

const nodeOf = (value: unknown): Node => {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(nodeOf) };
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', members: Object.entries(value).map(([name, each]) => [name, nodeOf(each)]) };
  return { kind: 'text', text: JSON.stringify(value) };
};

const textOf = (node: Node): string => {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'list') return `[${node.items.map(textOf).join(',')}]`;
  return `{${node.members.map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`).join(',')}}`;
};

/** Somewhere in the tree: which node, and how to put another in its place. */
interface Place {
  readonly node: Node;
  put(other: Node): void;
}

function places(root: { node: Node }): Place[] {
  const found: Place[] = [];
  const visit = (node: Node, put: (other: Node) => void): void => {
    found.push({ node, put });
    if (node.kind === 'list')
      node.items.forEach((each, at) => {
        visit(each, (other) => {
          node.items[at] = other;
        });
      });
    if (node.kind === 'object')
      for (const member of node.members)
        visit(member[1], (other) => {
          member[1] = other;
        });
  };
  visit(root.node, (other) => {
    root.node = other;
  });
  return found;
}

const odd = (random: Random): Node => ({ kind: 'text', text: one(random, oddJson) });

/** The same value as another type: what people write who don't mind types. */
const retyped = (text: string): string => {
  if (/^"-?\d+"$/.test(text)) return text.slice(1, -1);
  return text.startsWith('"') ? `[${text}]` : JSON.stringify(text);
};

/** Each character as an escape: the same text for every reader. */
const escaped = (text: string): string =>
  text.startsWith('"')
    ? `"${(JSON.parse(text) as string)
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('')}"`
    : text;

function harm(place: Place, random: Random): void {
  const { node, put } = place;
  const what = number(random, 6);
  if (what === 0) put(odd(random));
  else if (what === 1) {
    let nested = node;
    for (let times = few(random, 40); times > 0; times -= 1)
      nested = random() < 0.5 ? { kind: 'list', items: [nested] } : { kind: 'object', members: [['in', nested]] };
    put(nested);
  } else if (node.kind === 'text')
    put({ kind: 'text', text: random() < 0.7 ? retyped(node.text) : escaped(node.text) });
  else if (node.kind === 'list') {
    const at = number(random, node.items.length + 1);
    if (what === 2) node.items.splice(at, 1);
    else if (what === 3) node.items.splice(at, 0, odd(random));
    else if (what === 4 && node.items.length > 0)
      node.items.push(...Array(few(random, 500)).fill(one(random, node.items)));
    else node.items.reverse();
  } else {
    const at = number(random, Math.max(1, node.members.length));
    const member = node.members[at];
    if (what === 2) node.members.splice(at, 1);
    else if (what === 3) node.members.splice(at, 0, [one(random, oddNames), odd(random)]);
    // Twice under the same name, with another value: readers differ in which one they take.
    else if (what === 4 && member !== undefined) node.members.push([member[0], odd(random)]);
    else if (member !== undefined) member[0] = random() < 0.5 ? one(random, oddNames) : member[0].toUpperCase();
  }
}

/** Undefined: it is no JSON that could be harmed in this way. */
export function harmedJson(text: string, random: Random): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const root = { node: nodeOf(value) };
  for (let times = few(random, 4); times > 0; times -= 1) harm(one(random, places(root)), random);
  const result = textOf(root.node);
  const spelled = number(random, 12);
  if (spelled === 0) return `\ufeff${result}`;
  return spelled === 1 ? ` \n\t${result}\r\n${random() < 0.5 ? '' : result}` : result;
}
