import { refusals } from '../../../domain/messages.ts';
import { Refused } from '../../errors/refused.ts';
import type { Editor } from '../live/presence.ts';
import { type SubjectAccess, type SubjectUse, usableSubjects } from '../live/subjects.ts';
import { builder } from './builder.ts';

const EditorType = builder.objectRef<Editor>('Editor').implement({
  description: 'An account with an open editor on an issue or a template.',
  fields: t => ({
    account: t.exposeID('account'),
    row: t.int({
      nullable: true,
      description: 'Index of the row with the cursor, in the stored text.',
      resolve: ({ place }) => place?.row ?? null,
    }),
    mark: t.string({
      nullable: true,
      description: 'A short hash of that row, to find it in another version of the text.',
      resolve: ({ place }) => place?.mark ?? null,
    }),
  }),
});

const SUBJECT_DESCRIPTION = 'An issue by its id, or a template by its id behind "template:".';

async function require(access: SubjectAccess, subject: string, use: SubjectUse): Promise<void> {
  if (!(await usableSubjects(access, [subject], use)).has(subject)) throw new Refused('FORBIDDEN', refusals.permission);
}

builder.queryFields(t => ({
  editors: t.field({
    type: [EditorType],
    description: 'Other accounts with an open editor on it.',
    args: { subjectId: t.arg.id({ description: SUBJECT_DESCRIPTION }) },
    resolve: async (_root, { subjectId }, { caller, presence, ...access }) => {
      await require(access, subjectId, 'see');
      const editors = await presence.editors(caller.tenant.id, subjectId);
      return editors.filter(({ account }) => account !== caller.account);
    },
  }),
}));

const MARK_PATTERN = /^[0-9a-f]{8}$/;

builder.mutationFields(t => ({
  editRow: t.boolean({
    description:
      'Names the row that the caller edits in the panel, for 50 seconds unless repeated; without a row the caller has ' +
      'stopped. Needs the permission to see the checklist only: it changes nothing, and asking for more costs quota.',
    args: { issueId: t.arg.id(), row: t.arg.int({ required: false }), mark: t.arg.string({ required: false }) },
    resolve: async (_root, { issueId, row, mark }, { caller, presence, ...access }) => {
      await require(access, issueId, 'see');
      const place = typeof row === 'number' && mark ? { row, mark } : undefined;
      if (place && (place.row < 0 || !MARK_PATTERN.test(place.mark))) return false;
      await presence.editRow(caller.tenant.id, caller.account, issueId, place);
      return true;
    },
  }),
  placeEditor: t.boolean({
    description: "Sets the row of the caller's editor. The mark is 8 hexadecimal digits.",
    args: { subjectId: t.arg.id({ description: SUBJECT_DESCRIPTION }), row: t.arg.int(), mark: t.arg.string() },
    resolve: async (_root, { subjectId, row, mark }, { caller, presence, ...access }) => {
      await require(access, subjectId, 'edit');
      if (row < 0 || !MARK_PATTERN.test(mark)) return false;
      await presence.move(caller.tenant.id, caller.account, subjectId, { row, mark });
      return true;
    },
  }),
}));
