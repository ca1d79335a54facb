import { refusals } from '../../domain/messages.ts';
import type { Editor } from '../live/presence.ts';
import { Refused } from '../refused.ts';
import { builder } from './builder.ts';

const EditorType = builder.objectRef<Editor>('Editor').implement({
  description: 'Somebody who has an editor open on an issue.',
  fields: t => ({
    account: t.exposeID('account'),
    row: t.int({
      nullable: true,
      description: 'Index of the row that the cursor is in, in the text as it is stored.',
      resolve: ({ place }) => place?.row ?? null,
    }),
    mark: t.string({
      nullable: true,
      description: 'A short hash of that row, to find it in another version of the text.',
      resolve: ({ place }) => place?.mark ?? null,
    }),
  }),
});

builder.queryFields(t => ({
  editors: t.field({
    type: [EditorType],
    description: 'The others who have an editor open on the issue.',
    args: { issueId: t.arg.id() },
    resolve: async (_root, { issueId }, { caller, checklists, presence }) => {
      if (!(await checklists.allowed(issueId, 'canViewChecklist'))) throw new Refused('FORBIDDEN', refusals.permission);
      const editors = await presence.editors(caller.tenant.id, issueId);
      return editors.filter(({ account }) => account !== caller.account);
    },
  }),
}));

const MARK = /^[0-9a-f]{8}$/;

builder.mutationFields(t => ({
  placeEditor: t.boolean({
    description: "Says at which row the caller's editor is. The mark is 8 hexadecimal digits.",
    args: { issueId: t.arg.id(), row: t.arg.int(), mark: t.arg.string() },
    resolve: async (_root, { issueId, row, mark }, { caller, checklists, presence }) => {
      if (!(await checklists.allowed(issueId, 'canEditChecklist'))) throw new Refused('FORBIDDEN', refusals.permission);
      if (row < 0 || !MARK.test(mark)) return false;
      await presence.move(caller.tenant.id, caller.account, issueId, { row, mark });
      return true;
    },
  }),
}));
