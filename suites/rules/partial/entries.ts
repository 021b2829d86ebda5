import { member, sweep, warning } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isRun } from '../../language/answers.ts';
import { isPartial } from '../../language/expectations.ts';

export const noNullItems = sweep({
  id: 'partial.no-null-items',
  clause: clauses.failedSourcesLeaveNoNull,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  provoke: ({ run }) => run({ sources: { ok2: 'refused' } }),
  includes: (exchange) => isRun(exchange) && isPartial(exchange),
  judge(exchange) {
    const items = member(exchange, 'items');
    return Array.isArray(items) && items.includes(null)
      ? [warning(exchange, 'no null among the items of a PARTIAL result', 'a null')]
      : [];
  },
  fix: 'Omit the items of failed sources: a null in place of an item breaks clients that read its members.',
});
