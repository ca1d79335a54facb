import { failures } from '../../domain/messages.ts';
import type { ChecklistSummary } from '../checklists/summaries.ts';
import { Refused } from '../errors/refused.ts';
import { MOST_ISSUES } from '../platform/tracker/bulk-issues.ts';
import { MayType } from './assigned.ts';
import { builder } from './builder.ts';

const SummaryType = builder.objectRef<ChecklistSummary>('ChecklistSummary').implement({
  description: 'How far the checklist of an issue is.',
  fields: t => ({
    issueId: t.exposeID('issueId'),
    total: t.int({ description: 'Items, headers not counted.', resolve: ({ progress }) => progress.total }),
    checked: t.int({ resolve: ({ progress }) => progress.checked }),
    mandatoryOpen: t.int({ resolve: ({ progress }) => progress.mandatoryOpen }),
    permissions: t.field({ type: MayType, resolve: ({ may }) => may }),
  }),
});

builder.queryFields(t => ({
  checklistSummaries: t.field({
    type: [SummaryType],
    description: `How far the checklists of these issues are, at most ${MOST_ISSUES}. Those that whoever asks may not view, or that have gone, are left out.`,
    args: { issueIds: t.arg.idList() },
    resolve: async (_root, { issueIds }, { checklists }) => {
      const ids = [...new Set(issueIds)];
      if (ids.length > MOST_ISSUES) throw new Refused('UNKNOWN', failures.unknown, 'issueIds');
      return checklists.summaries(ids);
    },
  }),
}));
