/** What a client makes of answers of success: items, status, and every form that is lawful. */
import { clientRule, countsTold, type Reason, type Seen, type SeenTrial, toldNumber } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { ending, hasEnded, plainRunsComplete, resultOf, violation, warning } from './looking.ts';
import { outcomeUnknown } from './passing.ts';
import { wrongNumbers } from './plain-runs.ts';

/** What is wrong with the items that it reports; empty if it reports none. */
function itemReasons(trial: SeenTrial, { telling }: Seen): Reason[] {
  const { items, decoys } = trial.planted;
  const { shown, told } = trial.ended;
  const result = resultOf(trial);
  if (telling.items?.by === 'member') return numberReasons(trial, telling.items.path);
  const strange = decoys.filter((word) => shown.includes(word));
  // A client that prints the whole answer prints everything in it.
  const isDump = items.length > 0 && items.every((word) => shown.includes(word));
  if (strange.length > 0 && !isDump)
    return [violation('items from `items` only', `${strange.length} that stand in another list`, result)];
  if (telling.items === undefined) return [];
  const missing = items.filter((word) => !shown.includes(word));
  if (missing.length > 0)
    return [violation(`${items.length} items in its output`, `${items.length - missing.length} of them`, result)];
  // A line of megabytes is not kept.
  const { path } = telling.items;
  return path === undefined || toldNumber(told, path) === undefined ? [] : numberReasons(trial, path);
}

function numberReasons(trial: SeenTrial, path: readonly string[]): Reason[] {
  const { items } = trial.planted;
  const { told } = trial.ended;
  const number = toldNumber(told, path);
  // Beside the number of items, a client may pass on a number that the answer holds.
  const isElsewhere = trial.situation === 'odd-items' && countsTold(told).some(([, each]) => each === items.length);
  if (number === items.length || isElsewhere) return [];
  const came = number === undefined ? 'no number of items' : `${number}`;
  return [violation(`${items.length} items read (\`${path.join('.')}\`)`, came, resultOf(trial))];
}

const expectComplete = (trial: SeenTrial, exceptPartial = false): Reason[] => {
  const { outcome } = trial.ended;
  const fine = outcome === 'complete' || (outcome === 'partial' && exceptPartial);
  return fine ? [] : [violation('the client to say that the run is complete', ending(trial), resultOf(trial))];
};

/**
 * It had a whole result, and has ended by itself. A client that fails only because of an earlier Retry-After, because copies run at the same time, or
 * gets a long answer, has misread nothing: that has rules of its own, or is lawful.
 */
const answered = (trial: SeenTrial): boolean =>
  hasEnded(trial) &&
  resultOf(trial) !== undefined &&
  (trial.deviations === undefined || trial.ended.outcome !== 'failed');

/** A client that says of these that they failed has read no wrong list. */
const besidePlain = new Set(['decoys', 'equal-items', 'list-items', 'odd-items', 'created', 'accepted', 'cut-once']);

export const readsItems = clientRule({
  id: 'client.reads-items',
  passing: outcomeUnknown,
  clause: clauses.clientReadsItems,
  situations: ['complete', 'complete-many', 'complete-hundreds', ...besidePlain],
  judge: (trial, seen) => {
    if (!answered(trial)) return undefined;
    const { outcome } = trial.ended;
    if (besidePlain.has(trial.situation) && !seen.telling.completes) return undefined;
    // What is said to be PARTIAL is about the status.
    if (outcome === 'partial') return [];
    const reasons = expectComplete(trial);
    if (reasons.length > 0 && besidePlain.has(trial.situation)) return undefined;
    if (reasons.length > 0) return reasons;
    // A number that is meant to count different items is conceivable: no more than a warning.
    return itemReasons(trial, seen).map((each) =>
      trial.situation === 'equal-items' ? { ...each, weight: 'warning' } : each,
    );
  },
  judgeAll: wrongNumbers,
  fix: 'Read the list in `items` of the answer, and no other; a run whose answer is 2xx has succeeded.',
});

export const checksStatus = clientRule({
  id: 'client.checks-status',
  passing: outcomeUnknown,
  clause: clauses.clientChecksStatus,
  situations: [
    ...['complete', 'complete-many', 'nested-partial'],
    ...['partial', 'partial-one', 'partial-empty', 'partial-pretty', 'partial-chunked', 'partial-escaped'],
    ...['partial-first', 'partial-created', 'partial-after-failing'],
    ...['longer-word', 'unknown-status'],
  ],
  judge: (trial) => {
    if (!answered(trial)) return undefined;
    const { situation, ended } = trial;
    const { outcome } = ended;
    // A careful client may take any word that it does not know for one that says so.
    if (situation === 'longer-word' || situation === 'unknown-status') return [];
    const isPartial = situation.startsWith('partial');
    if (isPartial && outcome === 'complete')
      return [violation('a PARTIAL run to be told from a complete one', ending(trial), resultOf(trial))];
    if (!isPartial && outcome === 'partial')
      return [violation('a complete run to be told from a PARTIAL one', ending(trial), resultOf(trial))];
    return [];
  },
  judgeAll: (trials) => {
    const outcomesOf = (name: string) =>
      trials.filter(({ situation, ended }) => situation === name && ended.outcome !== undefined);
    const takesAnyWord = outcomesOf('unknown-status').every(({ ended }) => ended.outcome === 'complete');
    const [found] = outcomesOf('longer-word').filter((each) => answered(each) && each.ended.outcome === 'partial');
    return found !== undefined && takesAnyWord && outcomesOf('unknown-status').length > 0
      ? [warning('only PARTIAL itself to be taken for it', `${ending(found)}, for PARTIALS_RESOLVED`, resultOf(found))]
      : [];
  },
  fix: 'Check `status` of every successful answer, and report to your caller that some sources failed if it is `PARTIAL`.',
});

export const keepsPartialItems = clientRule({
  id: 'client.keeps-partial-items',
  passing: outcomeUnknown,
  clause: clauses.clientKeepsPartialItems,
  situations: ['partial', 'partial-one', 'partial-first'],
  given: ({ telling }) =>
    telling.items === undefined
      ? 'the client does not tell which items it has read, or how many: print them, or their number in a JSON line'
      : undefined,
  judge: (trial, seen) => {
    if (!answered(trial)) return undefined;
    const missing = itemReasons(trial, seen);
    if (missing.length === 0) return [];
    const { outcome } = trial.ended;
    if (outcome === 'failed')
      return [warning('the usable items of a PARTIAL run', `${ending(trial)}, and none of its items`, resultOf(trial))];
    return missing;
  },
  fix: 'Return the items of a PARTIAL run and report that it is PARTIAL, instead of discarding them.',
});

const takesIt = (trial: SeenTrial, seen: Seen, partialIsFine = false): Reason[] | undefined => {
  if (!answered(trial) || !seen.telling.completes) return undefined;
  const reasons = expectComplete(trial, partialIsFine);
  return reasons.length > 0 ? reasons : itemReasons(trial, seen);
};

export const takesUnknownStatus = clientRule({
  id: 'client.takes-unknown-status',
  passing: outcomeUnknown,
  clause: clauses.clientTakesUnknownStatus,
  situations: ['unknown-status'],
  given: plainRunsComplete,
  judge: (trial, seen) => takesIt(trial, seen, true),
  fix: 'Compare with `PARTIAL` only: other values are allowed, and the 2xx means success.',
});

export const takesNoItems = clientRule({
  id: 'client.takes-no-items',
  passing: outcomeUnknown,
  clause: clauses.clientTakesNoItems,
  situations: ['empty'],
  given: plainRunsComplete,
  judge: takesIt,
  fix: 'Accept an empty `items` like any other result: check that it exists, not that it contains something.',
});

export const takesMore = clientRule({
  id: 'client.takes-more',
  passing: outcomeUnknown,
  clause: clauses.clientTakesMore,
  situations: ['further-members', 'decoys'],
  given: plainRunsComplete,
  judge: (trial, seen) => {
    if (trial.situation !== 'decoys') return takesIt(trial, seen);
    // Which of the lists it read is another rule's.
    return answered(trial) && seen.telling.completes ? expectComplete(trial, true) : undefined;
  },
  fix: 'Let the JSON reader ignore unknown members: a strict schema breaks with every addition to the service.',
});

/** `ü` whose two bytes were read as two letters; a client may print them as escapes. */
const misread = /MÃ¼nchen|M\\u00c3\\u00bcnchen/i;

function misreadLetters(trial: SeenTrial): Reason[] {
  const [found] = misread.exec(trial.ended.output) ?? [];
  return found === undefined
    ? []
    : [violation('UTF-8 to be read as such (RFC 8259, section 8.1)', `\`${found}\` for München`, resultOf(trial))];
}

/** The last letter of that text takes four bytes. It is dropped, or replaced by a question mark, where the others were kept. */
const dropped = /München, 東京, ?\??["']/;

function droppedLetters(trial: SeenTrial): Reason[] {
  const [found] = dropped.exec(trial.ended.output) ?? [];
  return found === undefined
    ? []
    : [
        violation(
          'every letter of an item, whatever its length in UTF-8',
          `\`${found}\` for 'München, 東京, 🛰️'`,
          resultOf(trial),
        ),
      ];
}

/** What becomes of a letter whose bytes are read in pieces, where letters are printed as they are otherwise. */
const torn = '\ufffd';

function tornLetters(trial: SeenTrial, { trials }: Seen): Reason[] {
  const whole = trials.filter(({ situation }) => situation === 'odd-items');
  const isTorn = ({ ended }: SeenTrial): boolean => ended.output.includes(torn);
  if (trial.situation !== 'chunked' || !isTorn(trial) || whole.length === 0 || whole.some(isTorn)) return [];
  return [
    violation('letters as they were sent, whatever chunks they come in', `${torn} in its output`, resultOf(trial)),
  ];
}

export const readsJson = clientRule({
  id: 'client.reads-json',
  passing: outcomeUnknown,
  clause: clauses.clientReadsJson,
  situations: ['pretty', 'chunked', 'escaped', 'large', 'odd-items'],
  given: plainRunsComplete,
  judge: (trial, seen) => {
    if (!answered(trial) || !seen.telling.completes) return undefined;
    // What it counts there is another rule's matter.
    if (trial.situation === 'odd-items') return [...misreadLetters(trial), ...droppedLetters(trial)];
    const reasons = expectComplete(trial);
    // Of an output of megabytes the middle is not kept.
    const unsure = trial.situation === 'large' && seen.telling.items?.by === 'words';
    return reasons.length > 0 || unsure ? reasons : [...itemReasons(trial, seen), ...tornLetters(trial, seen)];
  },
  fix: 'Read the whole body, however it arrives, and give it to a JSON parser; no pattern, no fixed buffer, no `Content-Length` that must be there.',
});

export const decodes = clientRule({
  id: 'client.decodes',
  passing: outcomeUnknown,
  clause: clauses.clientDecodes,
  situations: ['compressed', 'compressed-br'],
  given: plainRunsComplete,
  judge: (trial, seen) => (resultOf(trial)?.response?.body.coding === undefined ? [] : takesIt(trial, seen)),
  fix: 'Send `Accept-Encoding` only if your HTTP library decodes the answer, or decode it yourself.',
});
