import { refusals } from '../../domain/messages.ts';
import { Refused } from '../refused.ts';
import { builder } from './builder.ts';

builder.queryFields(t => ({
  editors: t.stringList({
    description: 'Account ids of the others who have an editor open on the issue.',
    args: { issueId: t.arg.id() },
    resolve: async (_root, { issueId }, { caller, checklists, presence }) => {
      if (!(await checklists.allowed(issueId, 'canViewChecklist'))) throw new Refused('FORBIDDEN', refusals.permission);
      const editors = await presence.editors(caller.tenant.id, issueId);
      return editors.filter(account => account !== caller.account);
    },
  }),
}));
