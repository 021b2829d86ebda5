/** What a client sends: the call, the name in it, the input, and what it says about it. */
import { isDeepStrictEqual } from 'node:util';
import {
  clientRule,
  type Exchange,
  isRun,
  type Json,
  pathOf,
  type Reason,
  readJson,
  type SeenTrial,
  withDoubles,
} from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { valuesOf, violation, warning } from './looking.ts';
import { aboutActors, ofNames, taskUnknown, withRuns } from './passing.ts';

const prefix = '/v1/actors/';
const suffix = '/run-sync-get-dataset-items';
const oddNames = ['odd-name', 'odd-name-reserved'];
const oddInputs = ['odd-input', 'empty-input', 'exact-numbers'];

const unjudged = new Set([...oddNames, 'with-path']);

export const rightCall = clientRule({
  id: 'client.right-call',
  passing: aboutActors,
  clause: clauses.clientCallsTheRoute,
  judge: (trial, { manner }) => {
    if (unjudged.has(trial.situation) || trial.calls.length === 0) return undefined;
    if (trial.runs.length === 0) {
      // A client that only looks around first may be stopped by what it sees.
      const wrong = trial.calls.find(({ request }) => request.method === 'POST');
      if (wrong === undefined && trial.situation !== 'complete') return undefined;
      return [
        violation(
          `POST ${prefix}{name}${suffix}`,
          `${said(wrong ?? trial.calls[0]!)} and no such call`,
          wrong ?? trial.calls[0],
        ),
      ];
    }
    const wanted = `${prefix}${trial.actor}${suffix}`;
    return trial.runs.flatMap((run): Reason[] => {
      if (run.request.method !== 'POST') return [violation(`POST ${wanted}`, said(run), run)];
      const path = decoded(pathOf(run));
      const right = manner.actor ? path === wanted : path.startsWith(prefix) && path.endsWith(suffix);
      return right ? hostReasons(run, trial) : [violation(`POST ${wanted}`, said(run), run)];
    });
  },
  fix: 'Put the path together as base address + `/v1/actors/` + the percent-encoded name + `/run-sync-get-dataset-items`, and send it with POST.',
});

/** The port of a start is never that of the scheme. What passes may have been sent to one that is. */
function hostReasons(run: Exchange, { passing }: SeenTrial): Reason[] {
  const [host, ...more] = valuesOf(run, 'host');
  if (passing || more.length > 0 || host !== '127.0.0.1') return [];
  return [warning('the port in `Host`, as in the base address (RFC 9110, section 7.2)', `Host: ${host}`, run)];
}

const said = ({ request: { method, target } }: Exchange): string => `${method} ${target}`;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const encodesTheName = clientRule({
  id: 'client.encodes-the-name',
  passing: ofNames,
  clause: clauses.clientEncodesTheName,
  situations: oddNames,
  given: ({ manner }) =>
    manner.actor
      ? undefined
      : 'the client is not told which actor to run: put {actor} into its environment or its arguments',
  judge: ({ runs, calls, actor }, { trials }) => {
    // A bare ? or # in a name cuts off the rest of the path: what was sent counts, whatever became of it.
    const sent = runs.length > 0 ? runs : calls.filter(({ request }) => request.method === 'POST');
    if (sent.length === 0) return undefined;
    // A client that calls another route for every name is reported by another rule.
    const plain = trials.find(({ situation }) => situation === 'complete');
    if (runs.length === 0 && plain?.runs.length === 0) return undefined;
    return sent.flatMap((call) =>
      namesIt(call, actor) ? [] : [violation(`${prefix}${encodeURIComponent(actor)}${suffix}`, said(call), call)],
    );
  },
  fix: 'Percent-encode the name as one path segment: `encodeURIComponent(name)`, `quote(name, safe="")`, `url.PathEscape(name)`. A form encoder writes + for a space, which is wrong in a path.',
});

/** How the rest of the path is put together is another rule's matter. */
function namesIt(call: Exchange, actor: string): boolean {
  const path = pathOf(call);
  if (!isRun(call) || !/^[\x21-\x7e]+$/.test(path) || call.request.target.includes('#')) return false;
  const segment = /\/actors\/(.*)\/run-sync-get-dataset-items\/?$/.exec(path)?.[1];
  return segment !== undefined && !segment.includes('/') && decoded(segment) === actor;
}

const inputGiven = ({ manner }: { readonly manner: { readonly input: boolean } }): string | undefined =>
  manner.input
    ? undefined
    : 'the client is not told the input: put {input} or {input_file} into its environment, its arguments or its standard input';

export const sendsTheInput = clientRule({
  id: 'client.sends-the-input',
  passing: withRuns,
  clause: clauses.clientSendsTheInput,
  given: inputGiven,
  judge: (trial) => {
    if (trial.runs.length === 0) return undefined;
    // Which values an odd input keeps is another rule's matter; that it is a JSON object is not.
    return oddInputs.includes(trial.situation) ? inputReasons(trial, 'form') : inputReasons(trial);
  },
  fix: 'Send the input itself as the JSON body: not inside another member, not as a form, not as a string that contains JSON.',
});

export const keepsTheInput = clientRule({
  id: 'client.keeps-the-input',
  passing: taskUnknown,
  clause: clauses.clientKeepsTheInput,
  situations: ['odd-input', 'empty-input'],
  given: inputGiven,
  judge: (trial, { trials }) => {
    if (trial.runs.length === 0) return undefined;
    // A client that sends something else altogether is reported by another rule.
    const plain = trials.find(({ situation, runs }) => situation === 'complete' && runs.length > 0);
    return plain !== undefined && inputReasons(plain).length > 0 ? undefined : inputReasons(trial, 'values');
  },
  fix: 'Pass the input on as it is: keep null, false, 0 and empty values, and write text as UTF-8.',
});

/**
 * What is wrong with the form of the body (a JSON object), with its values, or with either. Of a client in passing nobody knows the
 * input: its form is all that can be asked.
 */
function inputReasons({ runs, input, passing }: SeenTrial, only?: 'form' | 'values'): Reason[] {
  const wanted = passing ? undefined : withDoubles(readJson(input));
  const asked = passing ? 'an input as a JSON object' : `the input as a JSON object: ${shown(input)}`;
  return runs.flatMap((run) => {
    // It broke off in the middle of its request: nobody knows what it would have sent.
    if (run.request.body?.truncated || (run.failure?.kind === 'closed-in-body' && run.response === undefined))
      return [];
    const text = run.request.body?.text ?? '';
    const body = parsed(text);
    if (body === undefined || !isMap(withDoubles(body))) {
      const came =
        text === '' ? 'no body' : `a body that is no JSON${body === undefined ? '' : ' object'}: ${shown(text)}`;
      return only === 'values' ? [] : [violation(asked, came, run)];
    }
    if (only === 'form' || wanted === undefined) return [];
    return isDeepStrictEqual(withDoubles(body), wanted)
      ? []
      : [violation(`the input: ${shown(input)}`, difference(withDoubles(body), wanted) ?? shown(text), run)];
  });
}

const shown = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

/** The first members that differ, where both are objects with about the same members. */
function difference(body: Json, wanted: Json): string | undefined {
  if (!isMap(body) || !isMap(wanted)) return undefined;
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(body)])];
  const other = names.filter((name) => !isDeepStrictEqual(body[name], wanted[name]));
  if (other.length > 4) return undefined;
  return other
    .map((name) =>
      Object.hasOwn(body, name) ? `\`${name}\` is ${shown(JSON.stringify(body[name]))}` : `\`${name}\` is missing`,
    )
    .join(', ');
}

const isMap = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

export const saysJson = clientRule({
  id: 'client.says-json',
  passing: withRuns,
  clause: clauses.clientSaysJson,
  judge: ({ runs }) =>
    runs.length === 0
      ? undefined
      : runs.flatMap((run): Reason[] => {
          if (run.request.body === undefined) return [];
          const types = valuesOf(run, 'content-type');
          const right = types.length === 1 && types[0]!.split(';')[0]!.trim().toLowerCase() === 'application/json';
          return right
            ? []
            : [
                violation(
                  'Content-Type: application/json',
                  types.length === 0 ? 'no Content-Type' : `Content-Type: ${types.join(', ')}`,
                  run,
                ),
              ];
        }),
  fix: 'Set `Content-Type: application/json` on the run call; many HTTP libraries send another type for a text body.',
});
