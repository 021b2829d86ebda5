/** A call that is refused, while the same call of somebody who may make it is under way: its answer is for that caller alone. */
import {
  type Ask,
  type Credential,
  type Exchange,
  expectStatus,
  type Gate,
  type Key,
  type Reason,
} from '../../src/vocabulary.ts';
import { everySource } from './asking.ts';
import { inapplicableIf } from './gates.ts';

/** Until the run is under way. */
export const headStartMs = 100;

export const isUnderWay = (beside: Exchange, slow: Exchange): boolean =>
  slow.at.sent < beside.at.sent && slow.at.end > beside.at.sent;

/** The clean run once more, whose sources are silent now, and meanwhile the same bytes from each of the others. */
export async function* besideRun(
  { run, sleep }: Pick<Ask<unknown>, 'run' | 'sleep'>,
  clean: Exchange,
  { key, others }: { readonly key: Key; readonly others: readonly Credential[] },
) {
  const again = { again: clean, sources: everySource('slow') };
  const [slow, refused] = await Promise.all([
    run({ ...again, key }),
    sleep(headStartMs).then(() => Promise.all(others.map((other) => run({ ...again, key: other })))),
  ]);
  yield { slow, refused };
}

interface BesideRun {
  readonly slow: Exchange;
  readonly refused: readonly Exchange[];
}

export const wasUnderWay = ({ slow, refused }: Partial<BesideRun>): Gate =>
  inapplicableIf(
    slow !== undefined && !refused?.some((each) => isUnderWay(each, slow)),
    'the run had ended when the others asked, as if its sources were not read again',
  );

export const expectRefusedBeside = ({ slow, refused }: BesideRun, status: number): readonly Reason[] =>
  refused.filter((each) => isUnderWay(each, slow)).flatMap((each) => expectStatus(each, status));
