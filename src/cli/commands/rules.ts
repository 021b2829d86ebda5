/** `touchstone rules`. */
import { inline } from '../../../reports/text.ts';
import type { Level } from '../../model/clause.ts';
import { areaOf, areas } from '../../model/rule.ts';
import { suggest } from '../../profile/nearest.ts';
import { explained } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { out } from '../output.ts';

export interface RulesFlags {
  readonly area?: readonly string[];
  readonly level?: Level;
  readonly provisional?: true;
  readonly json?: true;
}

const isProvisional = (rule: (typeof explained)[number]): boolean => 'needs' in rule && rule.provisional === true;

export function rules(flags: RulesFlags): void {
  for (const area of flags.area ?? [])
    if (!(areas as readonly string[]).includes(area))
      throw new UsageError(`--area: there is no area \`${area}\`; ${suggest(area, areas)}`, 'unknown-rule');
  const shown = explained.filter(
    (rule) =>
      (flags.area === undefined || flags.area.includes(areaOf(rule.id))) &&
      (flags.level === undefined || rule.clause.level === flags.level) &&
      (!flags.provisional || isProvisional(rule)),
  );
  if (flags.json) {
    const listed = shown.map((rule) => ({
      rule: rule.id,
      area: areaOf(rule.id),
      level: rule.clause.level,
      clause: { id: rule.clause.id, section: rule.clause.section, says: rule.clause.says },
      needs: 'needs' in rule ? rule.needs : [],
      fix: rule.fix,
      ...(isProvisional(rule) ? { provisional: true } : {}),
    }));
    out(JSON.stringify(listed, undefined, 2));
    return;
  }
  const widest = Math.max(0, ...shown.map(({ id }) => id.length));
  const lines = areas.flatMap((area) => {
    const own = shown.filter(({ id }) => areaOf(id) === area);
    const rows = own.map(
      (rule) =>
        `  ${rule.id.padEnd(widest)}  ${rule.clause.level.padEnd(8)}  ${isProvisional(rule) ? '(provisional) ' : ''}${inline(rule.clause.says, 200)}`,
    );
    return own.length === 0 ? [] : [`${area} (${own.length})`, ...rows, ''];
  });
  out(
    `${lines.join('\n')}\n${shown.length} rules: ${(['required', 'expected', 'observed'] as const).map((level) => `${shown.filter(({ clause }) => clause.level === level).length} ${level}`).join(', ')}`,
  );
}
