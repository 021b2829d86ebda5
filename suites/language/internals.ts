/**
 * What an error must not show of the inside of a service. Each pattern is so particular that a sentence written for
 * people never fits it.
 */
import { type Exchange, isObject, type Json, jsonOf } from '../../src/vocabulary.ts';

interface Inside {
  readonly what: string;
  readonly pattern: RegExp;
  /** In a head, this is also what names of hosts with their ports look like. */
  readonly inBodies?: true;
}

const ending = '(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|scala|cs|exs?|pl)';

const pathOfFile = 'the path of a file';

const inside: readonly Inside[] = [
  {
    what: 'a stack frame of JavaScript',
    pattern: /\bat (?:async )?[^\n()]{0,120}\((?:file:\/\/|node:|\/|[A-Z]:\\)[^\n()]*:\d+:\d+\)/,
  },
  { what: 'a stack frame of JavaScript', pattern: /\bat (?:async )?(?:file:\/\/|node:internal|\/)[^\s()]+:\d+:\d+/ },
  { what: 'a stack trace of Python', pattern: /Traceback \(most recent call last\)|File "[^"\n]+", line \d+/ },
  {
    what: 'a stack trace of Go',
    pattern: /goroutine \d+ \[[a-z ,0-9]+\]:|panic: runtime error|\.go:\d+ \+0x[0-9a-f]+/,
  },
  {
    what: 'the message of a crash',
    pattern:
      /\bruntime error: (?:index|slice|invalid|integer|makeslice)|\bCannot (?:read|set) propert(?:y|ies) of (?:undefined|null)|'NoneType' object (?:is|has)|called `(?:Option|Result)::\w+\(\)` on|\bis not a function\b|\bCannot invoke "[\w$.<>()[\]]+" because |\bpanicked at\b/,
  },
  { what: 'a panic of Rust', pattern: /thread '[^'\n]*'(?: \(\d+\))? panicked at/ },
  {
    what: 'a stack trace of Java',
    pattern: /\bat [\w$.]+\((?:[\w$]+\.(?:java|kt|scala)(?::\d+)?|Native Method|Unknown Source)\)/,
  },
  {
    what: 'a class of Java',
    pattern: /\b(?:java|javax|jakarta|kotlin|org|com)(?:\.[a-z]\w*)+\.[A-Z]\w*(?:Exception|Error)\b/,
  },
  { what: 'a stack trace of .NET', pattern: /\bat [\w.`<>[\]]+\([^)\n]*\) in [^\n]+:line \d+/ },
  { what: 'a stack frame of Ruby', pattern: /\.rb:\d+:in [`']/ },
  { what: 'a stack frame of PHP', pattern: /#\d+ \/\S+\.php\(\d+\)|\.php on line \d+/ },
  // Some endings are those of countries too: there a port would look like a line.
  {
    what: 'a line of a source file',
    inBodies: true,
    pattern: /[\w-]\.(?:[cm]?[jt]sx?|go|rb|php|java|kt):\d+\b|[\w-]\.(?:py|rs|cs|exs?):\d+:\d+\b/,
  },
  {
    what: pathOfFile,
    pattern:
      /(?<![\w/.:-])\/(?:home\/[\w.-]+|root|Users\/[\w.-]+|etc|usr\/(?:local|lib|bin|src|share)|var\/(?:lib|log|www|task|run|tmp)|proc\/\w+)\/[\w@.-]+/,
  },
  {
    what: pathOfFile,
    pattern: new RegExp(
      `(?<![\\w/.:-])/(?:app|opt|srv|tmp|workspace|build|code|src)/(?:[\\w@.-]+/)*[\\w@.-]+\\.(?:${ending}|json|ya?ml|db|sqlite3?|env|log)\\b`,
    ),
  },
  {
    what: pathOfFile,
    pattern: /\bnode_modules\/[\w@.-]+|\bsite-packages\/\w+|\b[A-Z]:\\(?:[\w .-]+\\)+[\w .-]+/,
  },
  {
    what: 'SQL',
    pattern:
      /\bSELECT\s[\s\S]{1,300}?\sFROM\s+["`[\w]|\bINSERT\s+INTO\s+["`[\w]|\bUPDATE\s+["`[\w.\]]+\s+SET\s|\bDELETE\s+FROM\s+["`[\w]/,
  },
  { what: 'an address with a password in it', pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"']+:[^\s/@"']+@[\w.-]+/i },
  {
    what: 'an error of a database',
    pattern:
      /SQLSTATE\b|\bORA-\d{5}\b|\bSQLITE_[A-Z]{4,}|\bER_[A-Z]{3,}_[A-Z_]+\b|\bPG::\w+|psycopg2?\.|sqlalchemy\.|PrismaClient\w+Error|syntax error at or near "|You have an error in your SQL syntax|near "[^"\n]*": syntax error|duplicate key value violates unique constraint|(?:UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed|\bno such (?:table|column): /,
  },
];

/** What an error shows of the inside, each kind once. What the client itself has said may be repeated to it. */
export function internalsIn(exchange: Exchange): readonly { readonly what: string; readonly shown: string }[] {
  const body = texts(exchange);
  const heads = fieldsOf(exchange);
  const found = new Map<string, string>();
  let said: readonly string[] | undefined;
  for (const { what, pattern, inBodies } of inside) {
    const of = [body, ...(inBodies ? [] : what === pathOfFile ? heads.others : heads.all)];
    for (const text of of) {
      if (!pattern.test(text)) continue;
      said ??= saidByClient(exchange);
      const match = [...text.matchAll(new RegExp(pattern, 'g'))].find(
        ([shown]) => !said?.some((each) => each.includes(shown)),
      );
      if (match !== undefined && !found.has(what)) found.set(what, match[0]);
    }
  }
  return [...found].map(([what, shown]) => ({ what, shown: shown.length > 120 ? `${shown.slice(0, 117)}…` : shown }));
}

/** Every string of a JSON body, unescaped; the raw body if it is not JSON. */
function texts(exchange: Exchange): string {
  const body = jsonOf(exchange);
  return body.ok ? strings(body.value).join('\n') : (exchange.response?.body.text ?? '');
}

/** Fields that hold paths of the service by right, or tell a server where something is. */
const ofPlaces =
  /path|ur[il]|route|location|link|map$|policy|cookie|endpoint|report|nel$|redirect|sendfile|origin|refer|refresh|allow|alt-svc|server|via|backend|upstream/i;

/** More than any field tells. */
const longest = 8192;

/** The values of the header fields, in plain text: some are percent-encoded. */
function fieldsOf({ response }: Exchange): { readonly all: readonly string[]; readonly others: readonly string[] } {
  const fields = (response?.headers ?? [])
    .slice(0, 200)
    .map(([name, value]) => ({ name, value: decoded(value.slice(0, longest)) }));
  const values = (some: typeof fields): readonly string[] => some.map(({ value }) => value);
  return { all: values(fields), others: values(fields.filter(({ name }) => !ofPlaces.test(name))) };
}

function strings(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return isObject(value) ? Object.entries(value).flatMap(([name, each]) => [name, ...strings(each)]) : [];
}

function saidByClient({ request }: Exchange): readonly string[] {
  const body = request.body?.text ?? '';
  const fields = request.headers.map(([, value]) => value);
  return [request.target, decoded(request.target), body, ...stringsOfText(body), ...fields, ...fields.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function stringsOfText(text: string): readonly string[] {
  try {
    return strings(JSON.parse(text) as Json);
  } catch {
    return [];
  }
}
