/** Sources that work, and say it in another way than in one short piece. */
import {
  type Case,
  type Exchange,
  kindOf,
  lettersOfSources,
  member,
  type Reason,
  rule,
  type SourceBehaviour,
  statusFits,
  succeeded,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, everySource } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, reachesOne } from '../../language/gates.ts';

interface Form extends Case {
  readonly behaviour: SourceBehaviour;
  /** How much a service reads of a source is open: one that is too long for it has failed like any other. */
  readonly long: boolean;
  /** Works too, where it could be this form by itself that is not taken. */
  readonly control?: SourceBehaviour;
  /** Shows which letters it has read. */
  readonly lettered?: true;
  readonly headers?: readonly (readonly [string, string])[];
}

const forms: readonly Form[] = [
  { name: 'answers in pieces', behaviour: 'in-pieces', long: false },
  { name: 'answers in chunks', behaviour: 'in-chunks', long: false },
  { name: 'answers of more than 64 kB', behaviour: 'long', long: true },
  { name: 'has letters of several bytes', behaviour: 'with-letters', long: false, lettered: true },
  {
    name: 'answers in pieces that end within letters',
    behaviour: 'letters-in-pieces',
    long: false,
    lettered: true,
    control: 'with-letters',
  },
  {
    name: 'has many entries, for a caller whose connection ends',
    behaviour: 'with-many-entries',
    long: false,
    control: 'with-many-entries',
    headers: [['Connection', 'close']],
  },
  // Who asks an entry whether its run worked takes the word of anybody for that of a source.
  { name: 'has a member `status`', behaviour: 'with-a-status', long: false, control: 'with-a-note' },
  { name: 'has a member `error`', behaviour: 'with-an-error', long: false, control: 'with-a-note' },
];

/** A machine may be too busy for the few milliseconds in which such an answer comes, but hardly each time. */
const times = 3;

const textOf = (exchange: Exchange): string =>
  JSON.stringify(member(exchange, 'items') ?? null)
    .normalize('NFC')
    .toLowerCase();

const letters = lettersOfSources.normalize('NFC').toLowerCase();

const letteredIn = (exchange: Exchange): number => textOf(exchange).split(letters).length - 1;

/** The bytes of one letter, each read as a letter, or as nothing that is one. Who keeps fewer letters, as addresses do, may. */
const garbledIn = (exchange: Exchange): string | undefined => /z(?:ã.|\ufffd+|\?{1,2})rich/.exec(textOf(exchange))?.[0];

/** How often the items say what belongs to the sources of their run: in what they gave, and in their addresses. */
function traces(exchange: Exchange): number {
  const items = textOf(exchange);
  const tokens = (exchange.planted?.sources ?? []).map(({ token }) => token);
  return tokens.reduce((sum, token) => sum + items.split(token).length - 1, 0);
}

/** Only who shows what its sources say owes it. */
const lacks = (exchange: Exchange, clean: Exchange): boolean =>
  traces(exchange) < traces(clean) || letteredIn(exchange) < letteredIn(clean);

interface Asked {
  readonly long: boolean;
  /** Runs of other times had no letters. */
  readonly isLettered?: boolean;
}

/** What is not about sources is asked elsewhere. */
const ofSources = [500, 502, 503, 504];

function missedIn(exchange: Exchange, clean: Exchange, { long, isLettered = false }: Asked): readonly Reason[] {
  const expected = long ? 'a result, or 502 or 504' : 'the result of sources that work';
  if (exchange.response === undefined || exchange.failure !== undefined)
    return [warning(exchange, expected, whatCame(exchange))];
  if (long) return statusFits(exchange, 500) ? [warning(exchange, expected, whatCame(exchange))] : [];
  if (statusFits(exchange, ofSources)) return [warning(exchange, expected, whatCame(exchange))];
  if (!succeeded(exchange)) return [];
  if (isPartial(exchange)) return [warning(exchange, `${expected}, not PARTIAL`, '"PARTIAL"')];
  const garbled = isLettered ? garbledIn(exchange) : undefined;
  if (garbled !== undefined) return [warning(exchange, `the letters of each source ("${letters}")`, `"${garbled}"`)];
  return lacks(exchange, clean)
    ? [warning(exchange, 'the items of each source', kindOf(member(exchange, 'items')))]
    : [];
}

export const wholeAnswers = rule({
  id: 'upstream.whole-answers',
  clause: clauses.workingSourcesGiveItems,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  cases: () => forms,
  answering: true,
  about: ({ case: { long, control, lettered } }) => ({
    long,
    isStrange: control !== undefined,
    ...(lettered ? { isLettered: true } : {}),
  }),
  async *ask(ask) {
    const { behaviour, long, control, lettered = false, headers } = ask.case;
    // As callers do who ask more than once.
    const on = ask.line();
    const clean = await ask.run({ on, ...(control === undefined ? {} : { sources: everySource(control) }) });
    yield { clean };
    yield { reachedByClean: succeeded(clean) ? await ask.reached(clean) : null };
    const runs: Exchange[] = [];
    do runs.push(await ask.run({ on, sources: everySource(behaviour), ...(headers && { headers }) }));
    while (runs.length < times && missedIn(runs.at(-1)!, clean, { long, isLettered: lettered }).length > 0);
    yield { runs };
  },
  given: ({ clean, ...so }, { isStrange = false }) => [
    inapplicableIf(
      isStrange && !!clean && (!succeeded(clean) || isPartial(clean)),
      'the service does not take what such sources say',
    ),
    ...reachesOne({ ...(clean && { clean }), ...so }),
    inconclusiveIf(!!clean && isPartial(clean), 'a clean run is PARTIAL too: another rule reports that'),
  ],
  judge: ({ clean, runs }, asked) => {
    const missed = runs.map((each) => missedIn(each, clean, asked));
    return missed.every((each) => each.length > 0) ? (missed[0] ?? []) : [];
  },
  fix: 'Read the answer of a source to its end: it may come in pieces, in chunks, or be long. What its entries say of a status or an error is theirs, and not the status of the run.',
});
