/** Whether answers differ only in what differs between two identical calls anyway: request numbers, times. */
import {
  ExactNumber,
  type Exchange,
  isObject,
  type Json,
  jsonOf,
  type Reason,
  statusOf,
  violation,
} from '../../src/vocabulary.ts';

/** An answer as flat parts: its status, each leaf of its JSON body and the members of each object; else its whole text. */
export function partsOf(exchange: Exchange): ReadonlyMap<string, string> {
  const parts = new Map([['the status', String(statusOf(exchange) ?? 'none')]]);
  const body = jsonOf(exchange);
  if (body.ok) addParts(body.value, '', parts);
  else parts.set('the body', exchange.response?.body.text ?? exchange.response?.body.base64 ?? '');
  return parts;
}

function addParts(value: Json, path: string, parts: Map<string, string>): void {
  const here = path === '' ? 'the body' : `\`${path.slice(1)}\``;
  if (Array.isArray(value)) {
    parts.set(`the length of ${here}`, String(value.length));
    for (const [at, each] of value.entries()) addParts(each as Json, `${path}.${at}`, parts);
  } else if (isObject(value)) {
    parts.set(`the members of ${here}`, Object.keys(value).sort().join(', '));
    for (const [name, each] of Object.entries(value)) addParts(each, `${path}.${name}`, parts);
  } else parts.set(here, value instanceof ExactNumber ? value.decimal : JSON.stringify(value));
}

/**
 * Holds another answer against identical calls, made before it, after it and later still: what they all agree on does not
 * change by itself (as a time, a request number or the name of a node does), and must be the same in it.
 */
export function expectSameAnswer(controls: readonly Exchange[], other: Exchange, whose: string): readonly Reason[] {
  const [first, ...rest] = controls.map(partsOf);
  const parts = partsOf(other);
  for (const [part, value] of first ?? []) {
    if (rest.some((each) => each.get(part) !== value) || parts.get(part) === value) continue;
    const came = `${parts.get(part) ?? 'nothing'} for ${whose}`;
    return [violation(other, `${part} to be ${value}, as without a token`, came)];
  }
  return [];
}
