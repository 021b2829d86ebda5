/** `touchstone waive`: writes a waiver, and asks a person at a terminal for what was not given. */
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../clock.ts';
import { writeError } from '../../runfile/write.ts';
import { withWaiver } from '../../waivers/add.ts';
import { parseWaivers, tooFar, whyNotWaivable } from '../../waivers/parse.ts';
import { shownPath, textOf, waiversPath } from '../../waivers/read.ts';
import { expiresShape, issueShape, ownerShape, reasonShape } from '../../waivers/shape.ts';
import { daysBetween, type Expectation, longestWaiver, type Waiver } from '../../waivers/waiver.ts';
import { explained } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { ask, canAsk, out } from '../output.ts';

export interface WaiveFlags {
  readonly expectation?: Expectation;
  readonly reason?: string;
  readonly owner?: string;
  readonly issue?: string;
  readonly expires?: string;
  readonly waivers?: string;
  readonly profile?: string;
}

const questions = {
  reason: { asks: 'Why is it accepted?', shape: reasonShape },
  owner: { asks: 'Who is responsible for it (a name or an address)?', shape: ownerShape },
  expires: { asks: 'Until when, such as 2027-01-31?', shape: expiresShape },
} as const;

type Asked = keyof typeof questions;

export async function waive(rule: string, flags: WaiveFlags): Promise<void> {
  const today = systemClock.date().slice(0, 10);
  const cwd = process.cwd();
  const path = waiversPath({ waivers: flags.waivers, profile: flags.profile, cwd });
  const source = shownPath(path, cwd);
  const expectation = flags.expectation ?? usualFor(rule);
  const wrong = whyNotWaivable(rule, expectation, explained);
  if (wrong !== undefined) throw new UsageError(wrong.says);
  const before = textOf(path, source);
  const options = { source, rules: explained, today };
  if (before !== undefined && parseWaivers(before, options).some((each) => each.rule === rule))
    throw new UsageError(`${rule} is already waived in ${source}: change it there`);
  const given = await completed(flags, today);
  if (flags.issue !== undefined && !issueShape.safeParse(flags.issue).success)
    throw new UsageError('--issue: expected an address or a number of an issue');
  const issue = flags.issue === undefined ? {} : { issue: flags.issue.trim() };
  const { reason, owner, expires } = given;
  const waiver: Waiver = { rule, expectation, reason, owner, ...issue, expires };
  const text = withWaiver(before, waiver);
  parseWaivers(text, options);
  replace(path, source, text);
  out(`${rule} is waived in ${source} until ${expires}. A report shows it as waived, never as passed.`);
}

const usualFor = (rule: string): Expectation =>
  explained.find(({ id }) => id === rule)?.clause.level === 'expected' ? 'warn' : 'fail';

async function completed(flags: WaiveFlags, today: string): Promise<Record<Asked, string>> {
  const names = Object.keys(questions) as Asked[];
  for (const name of names) {
    const value = flags[name];
    const why = value === undefined ? undefined : whyNot(name, value, today);
    if (why !== undefined) throw new UsageError(`--${name}: ${why}`);
  }
  const missing = names.filter((name) => flags[name] === undefined);
  if (missing.length > 0 && !canAsk())
    throw new UsageError(
      `a waiver says why, by whom and until when: add ${missing.map((each) => `--${each}`).join(', ')}`,
    );
  const answers: Partial<Record<Asked, string>> = {};
  for (const name of missing) answers[name] = await ask(questions[name].asks, (answer) => whyNot(name, answer, today));
  return Object.fromEntries(names.map((name) => [name, (flags[name] ?? answers[name] ?? '').trim()])) as Record<
    Asked,
    string
  >;
}

function whyNot(name: Asked, value: string, today: string): string | undefined {
  const result = questions[name].shape.safeParse(value.trim());
  if (!result.success) return `expected ${result.error.issues[0]?.message}`;
  if (name !== 'expires') return undefined;
  const days = daysBetween(today, value.trim());
  if (days < 0) return `${value.trim()} is in the past`;
  return days > longestWaiver ? tooFar : undefined;
}

/** The whole file or none of it; a link stays a link, and permissions stay as they are. */
function replace(path: string, source: string, text: string): void {
  const temporary = (at: string): string => `${at}.${process.pid}.new`;
  let at = path;
  try {
    const known = statSync(path, { throwIfNoEntry: false });
    if (known !== undefined) at = realpathSync(path);
    writeFileSync(temporary(at), text, { flag: 'wx', ...(known === undefined ? {} : { mode: known.mode }) });
    renameSync(temporary(at), at);
  } catch (error) {
    rmSync(temporary(at), { force: true });
    throw new UsageError(writeError(`the waiver cannot be written to ${source}`, error).message);
  }
}
