/** `touchstone clean`: removes from a service what a run made there and did not live to remove. */
import { inline, plural } from '../../../reports/text.ts';
import { removeById, removeByMark } from '../../engine/clean.ts';
import { visit } from '../../engine/visit.ts';
import { exitCodes } from '../../model/run.ts';
import type { Profile } from '../../profile/profile.ts';
import { type LeftJournal, type LeftKey, readJournals, removeJournal, strike } from '../../runfile/journal.ts';
import { isAlive } from '../../target/owner.ts';
import { UsageError } from '../errors.ts';
import { interruption } from '../interrupt.ts';
import { exitWith, out, say } from '../output.ts';
import { profileOf } from '../profile.ts';

export interface CleanFlags {
  readonly profile?: string;
  readonly output: string;
}

interface Count {
  removed: number;
  gone: number;
  stays: number;
  unreachable?: string;
  interrupted?: true;
}

export async function clean(address: string | undefined, flags: CleanFlags): Promise<void> {
  const journals = readJournals(flags.output);
  const going = journals.filter(({ owner }) => isAlive(owner));
  for (const { path } of going) out(`${path}: its run is still going, so its keys stay.`);
  const left = journals.filter(({ owner }) => !isAlive(owner));
  const count: Count = { removed: 0, gone: 0, stays: 0 };
  if (left.some(({ keys }) => keys.length > 0)) await removeAll(left, address, flags, count);
  for (const journal of left) if (journal.keys.length === 0) removeJournal(journal.path);
  out(lastLine(count, flags.output, going.length));
  if (count.interrupted) exitWith(exitCodes.interrupted);
  else if (count.unreachable !== undefined) exitWith(exitCodes.unreachable);
  else exitWith(count.stays > 0 || going.length > 0 ? exitCodes.incomplete : exitCodes.conforms);
}

async function removeAll(
  journals: readonly LeftJournal[],
  address: string | undefined,
  flags: CleanFlags,
  count: Count,
): Promise<void> {
  const profile = await profileOf({ path: flags.profile, address });
  const asked = addressOf(profile, address);
  if (profile.admin?.token === undefined || profile.admin.revoke === undefined)
    throw new UsageError(`${profile.source} does not say how to revoke a key, or with which token`, 'cannot-clean');
  const interrupt = interruption(() => {});
  try {
    await visit(profile, { signal: interrupt.signal, listening: false }, async ({ session }) => {
      for (const journal of journals) {
        // The token goes to no address that a journal names: only to the one that the profile or the command line says.
        const elsewhere = address === undefined && journal.target !== asked ? journal.target : undefined;
        const kept: LeftKey[] = [];
        // While the marks of the others are still in the list.
        const unknownFirst = journal.keys.toSorted((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined));
        for (const key of unknownFirst) {
          const why = elsewhere === undefined ? await removed(session, journal, key, count) : strange(elsewhere);
          if (why === undefined) continue;
          kept.push(key);
          count.stays += 1;
          out(`not removed   ${told(key)}: ${inline(why, 300)}`);
        }
        if (kept.length === 0 && journal.keys.length > 0) removeJournal(journal.path);
      }
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    say('Interrupted: keys that are not named above are still in the journal.');
    count.interrupted = true;
  } finally {
    interrupt.done();
  }
}

function addressOf(profile: Profile, given: string | undefined): string {
  if (profile.target !== undefined && given === undefined)
    throw new UsageError(
      'the service was started for the run and ended with it; if it stores its keys, start it and pass its address',
      'cannot-clean',
    );
  return profile.origin + profile.basePath;
}

const strange = (target: string): string =>
  `it was created at ${target}, which is not the address of this profile; pass that address to remove it there`;

/** Undefined: it is not there any more. */
async function removed(
  session: Parameters<typeof removeById>[0],
  journal: LeftJournal,
  key: LeftKey,
  count: Count,
): Promise<string | undefined> {
  if (count.unreachable !== undefined) return count.unreachable;
  // Between two keys, not in the middle of one: what is removed is struck out of the journal.
  session.signal?.throwIfAborted();
  const { name, id, mark } = key;
  const cleaned = await (id === undefined ? removeByMark(session, name, mark) : removeById(session, name, id));
  if (cleaned.is === 'stays')
    return id === undefined
      ? `${cleaned.because}; look for a key created at ${key.at}, then delete ${journal.path}`
      : cleaned.because;
  if (cleaned.is === 'unreachable') {
    count.unreachable = cleaned.because;
    return cleaned.because;
  }
  strike(journal.path, key.name);
  count[cleaned.is] += 1;
  out(`${cleaned.is === 'removed' ? 'removed       ' : 'already gone  '}${told(key)}`);
  return undefined;
}

const told = ({ name, id, tier, at }: LeftKey): string =>
  [
    inline(name, 60),
    ...(id === undefined ? [] : [inline(id, 80)]),
    ...(tier === '' ? [] : [inline(tier, 40)]),
    inline(at, 40),
  ].join(' · ');

function lastLine({ removed, gone, stays, interrupted }: Count, folder: string, going: number): string {
  if (removed + gone + stays + going === 0 && !interrupted)
    return `The journals of ${folder} name no key that is left in a service.`;
  return `${plural(removed, 'key')} removed, ${gone} already gone, ${stays} not removed.`;
}
