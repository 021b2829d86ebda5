/** Members of run files that have another name today. Readers of a run see the new names only. */

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The former member `mend` of a planned rule is `fix`. */
function fixed(planned: unknown): unknown {
  if (!isMembers(planned) || !('mend' in planned) || 'fix' in planned) return planned;
  const { mend: fix, ...rest } = planned;
  return { ...rest, fix };
}

export const renamed = (line: Members): Members =>
  line.type === 'header' && Array.isArray(line.planned) ? { ...line, planned: line.planned.map(fixed) } : line;
