/** The first process of a container, as this machine numbers it. */
import { readFileSync } from 'node:fs';

interface Inspected {
  readonly Id?: string;
  readonly State?: { readonly Pid?: number };
}

/** Undefined if the engine runs elsewhere, or in a machine of its own: its number is then somebody else's here. */
export function pidOf({ Id = '', State }: Inspected): number | undefined {
  const pid = State?.Pid ?? 0;
  if (pid <= 0 || Id === '') return undefined;
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'latin1').includes(Id) ? pid : undefined;
  } catch {
    return undefined;
  }
}
