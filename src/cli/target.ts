/** `--target`, and what is said while one starts. */
import type { Control } from '../model/control.ts';
import type { Json } from '../model/json.ts';
import type { Profile } from '../profile/profile.ts';
import { UsageError } from './errors.ts';
import { say } from './output.ts';

export type TargetKind = 'command' | 'container' | 'compose';

/** What stands after `--`, as a profile would say it. */
export function targetOf(kind: TargetKind, words: readonly string[]): Json {
  const [first, ...rest] = words;
  if (first === undefined) throw new UsageError(`--target ${kind} needs a target to start: ${usage[kind]}`);
  if (kind === 'command') return { command: [...words] };
  if (kind === 'container') return { container: first, ...(rest.length === 0 ? {} : { arguments: rest }) };
  const [service, port] = rest;
  if (service === undefined || !/^\d+$/.test(port ?? '') || rest.length > 2)
    throw new UsageError(`--target compose takes a file, a service and its port: ${usage.compose}`);
  return { compose: first, service, port: Number(port) };
}

const usage: Readonly<Record<TargetKind, string>> = {
  command: `touchstone check --target command -- ./my-service --port '{port}'`,
  container: 'touchstone check --target container -- my-service:1.4',
  compose: 'touchstone check --target compose -- compose.yaml gateway 8080',
};

export interface StartedTarget {
  readonly profile: Profile;
  readonly control: Control;
  readonly pid?: number;
  ended(): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function startTarget(
  profile: Profile,
  { quiet = false, alone }: { readonly quiet?: boolean; readonly alone?: true },
  signal: AbortSignal,
): Promise<StartedTarget> {
  const { openTarget } = await import('../target/index.ts');
  const { systemClock } = await import('../clock.ts');
  const began = systemClock.now();
  if (!quiet) say(`Starting ${nameOf(profile)} …`);
  const target = await openTarget(profile, { signal, ...(alone && { alone }) });
  const { origin, basePath, disabled } = target.profile;
  const second =
    disabled !== undefined && profile.disabled === undefined ? ', and a second instance without an admin token' : '';
  if (!quiet) {
    say(`It is ready at ${origin}${basePath}${second} (${((systemClock.now() - began) / 1000).toFixed(1)} s).`);
    for (const remark of target.remarks) say(remark);
  }
  return target;
}

/** What the person would call it; of a command the program alone. */
function nameOf({ target }: Profile): string {
  if (target === undefined) return 'nothing';
  if (target.kind === 'command') return target.shell ? 'the command' : (target.command[0] ?? 'the command');
  return target.kind === 'container' ? `a container of ${target.image}` : `${target.service} of ${target.file}`;
}
