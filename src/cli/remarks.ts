/** What is said before a run begins: what an earlier one left, and what is not as somebody may expect. */
import { JournalError, readJournals } from '../runfile/journal.ts';
import { askedOtherwise } from './catalogue.ts';
import { proxiesSet } from './machine.ts';
import { say } from './output.ts';

/** What an earlier run did not live to remove. */
export function remarkLeft(folder: string): void {
  try {
    const left = readJournals(folder).reduce((sum, { keys }) => sum + keys.length, 0);
    if (left === 0) return;
    say(`Keys that an earlier run created may still be in its service (${left}): \`touchstone clean\` removes them.`);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    say(error.message);
  }
}

export function remarkRules(version: string | undefined): void {
  const other = version === undefined ? [] : askedOtherwise(version);
  if (other.length > 0) say(`Asked differently than when set ${version} was frozen: ${other.join(', ')}.`);
}

export function remarkProxies(): void {
  const set = proxiesSet();
  if (set.length > 0) say(`${set.join(', ')}: set, but not used; Touchstone connects to the service itself.`);
}
