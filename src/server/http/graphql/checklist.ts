import type { Conflict } from '../../../text/merge.ts';
import type { ChecklistReading, ChecklistSource, ChecklistView } from '../../checklists/service/types.ts';
import { builder } from './builder.ts';

const Source = builder.enumType('ChecklistSource', {
  description: 'Source of the text.',
  values: ['PROPERTY', 'FIELD', 'REVISION', 'NONE'] as const satisfies readonly ChecklistSource[],
});

/** A checklist with its revision, the base of a later change. */
export const ChecklistType = builder.objectRef<ChecklistView & Partial<ChecklistReading>>('Checklist').implement({
  fields: t => ({
    issueId: t.exposeID('issueId'),
    epoch: t.exposeString('epoch'),
    seq: t.exposeInt('seq'),
    hash: t.exposeString('hash'),
    name: t.exposeString('name'),
    text: t.exposeString('text'),
    rowIds: t.exposeStringList('rowIds', {
      description: "The lasting ids of the text's rows, in their order; empty where they are not known.",
    }),
    conflictSeq: t.exposeInt('conflictSeq', {
      description: 'The newest version with conflicts of this epoch, by its `seq`; 0 without one.',
    }),
    source: t.expose('source', { type: Source }),
    copyPending: t.boolean({
      description: 'A write of a copy in the tracker is overdue or refused.',
      resolve: ({ copyNotice }) => copyNotice !== undefined,
    }),
    copyNotice: t.exposeString('copyNotice', {
      nullable: true,
      description: 'Text for users where a copy in the tracker is overdue or refused.',
    }),
  }),
});

export const ConflictType = builder.objectRef<Conflict<string>>('Conflict').implement({
  description: 'Two users set one attribute of one row to different values: mine was kept.',
  fields: t => ({
    row: t.exposeString('row'),
    attribute: t.exposeString('attribute'),
    mine: t.exposeString('mine'),
    theirs: t.exposeString('theirs'),
    rowId: t.exposeString('rowId', { nullable: true, description: "The row's lasting id, where it is known." }),
  }),
});

builder.queryFields(t => ({
  checklist: t.field({
    type: ChecklistType,
    description: 'The checklist of an issue.',
    args: { issueId: t.arg.id() },
    resolve: (_root, { issueId }, { checklists }) => checklists.read(issueId),
  }),
}));
