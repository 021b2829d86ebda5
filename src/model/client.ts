/**
 * The other side: a program that calls the service. A situation is what the service does to it, a trial is one start of the
 * program in one situation, as it was recorded; a rule of clients judges trials and nothing else.
 */
import type { Clause } from './clause.ts';
import type { Deviation } from './client-context.ts';
import type { Exchange, Header } from './exchange.ts';
import type { Data, Json } from './json.ts';
import type { Depth } from './run.ts';
import type { KeyKind } from './secret.ts';
import type { Reason } from './verdict.ts';

/** What is in the answers of one trial and in no other: who shows it has read it there. */
export interface Plant {
  /** In `items`. */
  readonly items: readonly string[];
  /** Anywhere else. */
  readonly decoys: readonly string[];
  /** The base address of another host, which records what is sent there. */
  readonly elsewhere: string;
  /** As HTTP writes dates. */
  readonly inAnHour: string;
}

export type Compression = 'gzip' | 'br';

/** What the counterpart does with one call. */
export interface Answer {
  readonly status: number;
  readonly headers?: readonly Header[];
  readonly body: string | Buffer;
  /** JSON, unless said otherwise; null for none. */
  readonly type?: string | null;
  /** How long the answer takes. */
  readonly afterMs?: number;
  readonly chunked?: true;
  /** By the first of these that the client asked for; if it asked for none, not at all. */
  readonly compressed?: readonly Compression[];
  /** Nothing is read of the next connection; or nothing is answered; or half a body is. */
  readonly breaks?: 'before-request' | 'after-request' | 'in-body';
}

export interface Situation {
  /** For ever, like the identifiers of rules. */
  readonly name: string;
  /** After "for": `a run that is complete`. */
  readonly title: string;
  readonly depth: Depth;
  /** How many items the result holds, where there is one. */
  readonly items: number;
  /** The first call of a run gets the first, and so on; the last stands for all that follow. */
  readonly answers: (plant: Plant) => readonly Answer[];
  /** Reads and verifications get this too; if omitted, they are answered as a service does. */
  readonly refuses?: true;
  readonly actor?: string;
  readonly input?: Json;
  /** The base address has a path, or a certificate that nobody should believe. */
  readonly base?: 'with-path' | 'wrong-certificate';
  /** A client that sends nothing for this long has been seen enough of: it waits lawfully. */
  readonly quietMs?: number;
  /** From its first call on, a client is watched no longer than this. */
  readonly watchedMs?: number;
  /** After so many calls there is nothing more to see. */
  readonly mostRuns?: number;
  /** How many are started at once, when all else has ended: they disturb nobody. */
  readonly copies?: number;
  /** In these contexts it is met too, besides the plain one. */
  readonly varies?: readonly Deviation[];
  /** Begins when that one has ended: what a busy machine does to both at once is then no likeness. */
  readonly after?: string;
}

export type ClientOutcome = 'complete' | 'partial' | 'failed' | 'unclear';

/** How the program ended, and what it said. Secrets are names already. */
export interface Ended {
  readonly exit?: number;
  readonly signal?: string;
  readonly outcome: ClientOutcome;
  /** The last JSON object that it wrote as a line of its output. */
  readonly told?: Data;
  /** The end of what it wrote. */
  readonly output: string;
  readonly errors: string;
  /** Which planted words stood in its output. */
  readonly shown: readonly string[];
  /** Where the key was seen: the output, the error output, a file that it wrote, the arguments of a process that it started. */
  readonly keyIn: readonly string[];
  /** Why we ended it. `late`: it took longer than it may. `enough`: there was nothing more to see. */
  readonly stopped?: 'late' | 'enough';
  /** The longest that this process, which answers it, was kept from the processor meanwhile: the client will have been too. */
  readonly stalledMs: number;
  /** Processes that went on after its end. */
  readonly left: number;
  /** Connections that were still open when no process of it was known any more. */
  readonly open?: number;
  /** Milliseconds since the run began. */
  readonly at: { readonly started: number; readonly end: number };
}

/** On a machine that is busier than this, a client may give up on an answer that is there: that it failed proves nothing. */
export const tooBusyMs = 800;

export interface Trial {
  readonly type: 'trial';
  readonly number: number;
  readonly situation: string;
  readonly title: string;
  readonly key: KeyKind;
  readonly connection: 'kept' | 'fresh';
  /** If omitted: none. */
  readonly deviations?: readonly Deviation[];
  readonly actor: string;
  /** As JSON text: a number keeps its digits. */
  readonly input: string;
  /** What stands before `/v1` in the address that it was given. */
  readonly basePath: string;
  readonly planted: { readonly items: readonly string[]; readonly decoys: readonly string[] };
  readonly exchanges: readonly number[];
  /** Those that arrived at another host. */
  readonly elsewhere: readonly number[];
  /** Connections that were broken before anything was read of them. */
  readonly broken: number;
  readonly ended: Ended;
}

/** A trial with its exchanges, in the order in which they arrived. */
export interface SeenTrial extends Omit<Trial, 'exchanges' | 'elsewhere'> {
  readonly calls: readonly Exchange[];
  /** The calls that ask for a run. */
  readonly runs: readonly Exchange[];
  readonly elsewhere: readonly Exchange[];
  /** Not a start of a program: a sequence of identical calls that were recorded on their way to a service. */
  readonly passing?: true;
}

/** What the profile lets the client know: it is not judged by anything else. */
export interface ClientManner {
  readonly actor: boolean;
  readonly input: boolean;
  /** The key is in the arguments of the command, because the profile puts it there. */
  readonly keyInArguments: boolean;
}

/** How this client reports the outcome of a run: learned from plain runs. */
export interface Telling {
  /** Plain runs end as complete. Where they do not, other outcomes prove nothing. */
  readonly completes: boolean;
  /** Where a run is refused, it ends with another exit code than 0. */
  readonly exitsWhenFailed: boolean;
  /** The exit codes of refused runs, where plain runs have others: with one of these, a run has failed. */
  readonly failedExits: readonly number[];
  /** It ends its words with a JSON line also where a run failed. */
  readonly jsonWhenFailed: boolean;
  /** It prints items, or their number is in this member of its JSON line. */
  readonly items:
    | { readonly by: 'words'; readonly path?: readonly string[] }
    | { readonly by: 'member'; readonly path: readonly string[] }
    | undefined;
}

export interface Seen {
  readonly trials: readonly SeenTrial[];
  readonly manner: ClientManner;
  readonly telling: Telling;
}

/** Undefined: this trial says nothing about the rule. */
export type TrialJudge = (trial: SeenTrial, seen: Seen) => readonly Reason[] | undefined;

interface CommonClientRule {
  readonly id: `client.${string}`;
  /** Why it can't be asked of this client. */
  readonly given?: (seen: Seen) => string | undefined;
  readonly fix: string;
  /**
   * Where nothing but what passed is known: the parts of it that show the rule's situation, each to be judged like a start of
   * the client; or why it cannot be judged by that.
   */
  readonly passing: string | ((series: readonly SeenTrial[]) => readonly SeenTrial[]);
}

export interface JudgedClientRule extends CommonClientRule {
  readonly clause: Clause<'required' | 'expected'>;
  /** The situations that it looks at; if omitted: all. */
  readonly situations?: readonly string[];
  readonly judge: TrialJudge;
  /** What only several trials together show. */
  readonly judgeAll?: (trials: readonly SeenTrial[], seen: Seen) => readonly Reason[];
}

export interface ClientObservation extends CommonClientRule {
  readonly clause: Clause<'observed'>;
  readonly situations?: readonly string[];
  readonly observe: (trial: SeenTrial, seen: Seen) => readonly string[];
}

export type ClientRule = JudgedClientRule | ClientObservation;

export const clientRule = (rule: JudgedClientRule): JudgedClientRule => rule;

export const clientObservation = (rule: ClientObservation): ClientObservation => rule;

export const isClientObservation = (rule: ClientRule): rule is ClientObservation => 'observe' in rule;

export interface ClientCatalogue {
  readonly rules: readonly ClientRule[];
  readonly situations: readonly Situation[];
  readonly version: string;
  readonly specification: string;
}

/** The path of a run, whatever stands before it: a wrong path is one rule's matter, and the script goes on. */
const runPath = /\/run-sync-get-dataset-items\/?$/;

/** Also of a target in absolute form, as it is sent to a proxy. */
export const pathOf = ({ request }: Exchange): string =>
  request.target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

export const isRun = (exchange: Exchange): boolean => runPath.test(pathOf(exchange));

export function seenTrial(trial: Trial, exchanges: ReadonlyMap<number, Exchange>): SeenTrial {
  // Identifiers are given on arrival; what is written down first is what was answered first.
  const found = (ids: readonly number[]) => ids.toSorted((a, b) => a - b).flatMap((id) => exchanges.get(id) ?? []);
  const elsewhere = found(trial.elsewhere);
  const calls = found(trial.exchanges);
  return { ...trial, calls, elsewhere, runs: calls.filter((each) => isRun(each) && isAsking(each)) };
}

/** HEAD and OPTIONS run nothing. */
const isAsking = ({ request: { method } }: Exchange): boolean => method !== 'HEAD' && method !== 'OPTIONS';

const plain = new Set(['complete', 'complete-many']);

/** A client that was answered and never noticed it, in a run in which nothing is odd: nothing that it does proves that it works. */
export const isDeafClient = ({ trials = [] }: { readonly trials?: readonly Trial[] }): boolean =>
  trials.some(
    ({ situation, deviations, ended }) =>
      plain.has(situation) && deviations === undefined && ended.stopped === 'late' && ended.outcome !== 'complete',
  );
