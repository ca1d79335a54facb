import { failures } from '../../../domain/messages.ts';
import type { ChecklistSummary } from '../../checklists/read/summaries.ts';
import { Refused } from '../../errors/refused.ts';
import { MAX_ISSUES } from '../../platform/tracker/bulk-issues.ts';
import { MayType } from './assigned.ts';
import { builder } from './builder.ts';

builder.scalarType('JSON', {
  description: 'Any JSON value; only in answers.',
  serialize: value => value,
});

builder.queryFields(t => ({
  featureFlags: t.field({
    type: 'JSON',
    description: 'Enabled flags, by name.',
    resolve: (_root, _args, { featureFlags }) => featureFlags,
  }),
}));

const SummaryType = builder.objectRef<ChecklistSummary>('ChecklistSummary').implement({
  description: 'Progress of the checklist of an issue.',
  fields: t => ({
    issueId: t.exposeID('issueId'),
    total: t.int({ description: 'Number of items, without headers.', resolve: ({ progress }) => progress.total }),
    checked: t.int({ resolve: ({ progress }) => progress.checked }),
    mandatoryOpen: t.int({ resolve: ({ progress }) => progress.mandatoryOpen }),
    permissions: t.field({ type: MayType, resolve: ({ may }) => may }),
  }),
});

builder.queryFields(t => ({
  checklistSummaries: t.field({
    type: [SummaryType],
    description: `Progress of the checklists of these issues, at most ${MAX_ISSUES}. Hidden and missing issues are left out.`,
    args: { issueIds: t.arg.idList() },
    resolve: async (_root, { issueIds }, { checklists }) => {
      const ids = [...new Set(issueIds)];
      if (ids.length > MAX_ISSUES) throw new Refused('UNKNOWN', failures.unknown, 'issueIds');
      return checklists.summaries(ids);
    },
  }),
}));
