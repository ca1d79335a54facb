import type { RowChange } from '../../text/compare.ts';
import type { History, HistoryEntry, Revision } from '../checklists/types.ts';
import { builder } from './builder.ts';
import { ConflictType } from './checklist.ts';

const kinds = {
  added: 'ADDED',
  deleted: 'DELETED',
  moved: 'MOVED',
  retyped: 'RETYPED',
  reworded: 'REWORDED',
  status: 'STATUS',
  mandatory: 'MANDATORY',
  assignee: 'ASSIGNEE',
  dueDate: 'DUE_DATE',
  details: 'DETAILS',
} as const satisfies Record<RowChange['kind'], string>;

const RowChangeKind = builder.enumType('RowChangeKind', {
  description: 'RETYPED: another level of a header, or a header that was an item.',
  values: Object.values(kinds),
});

/** One end of a change in words of the wire: a status by its slug, a flag as `true` or `false`. */
function written(value: Extract<RowChange, { from: unknown }>['from']): string | null {
  if (value === undefined) return null;
  return typeof value === 'object' ? value.slug : String(value);
}

const RowChangeType = builder.objectRef<RowChange>('RowChange').implement({
  description: 'One thing that became of one row.',
  fields: t => ({
    kind: t.field({ type: RowChangeKind, resolve: ({ kind }) => kinds[kind] }),
    index: t.exposeInt('index', { description: 'Where the row stands then; a deleted one, where it stood.' }),
    row: t.exposeString('row', { description: 'What it says then.' }),
    header: t.exposeBoolean('header'),
    from: t.string({
      nullable: true,
      description: 'For a move the section that it left, for a status its slug, for a person the account id.',
      resolve: change => ('from' in change ? written(change.from) : null),
    }),
    to: t.string({ nullable: true, resolve: change => ('to' in change ? written(change.to) : null) }),
  }),
});

const HistoryEntryType = builder.objectRef<HistoryEntry>('HistoryEntry').implement({
  description: 'A version of a checklist, and how it differs from the one before.',
  fields: t => ({
    epoch: t.exposeString('epoch'),
    seq: t.exposeInt('seq'),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    account: t.exposeString('account', { description: 'Account id of whoever made it.' }),
    kind: t.exposeString('kind', { description: 'The mutation that made it, or what was found.' }),
    name: t.exposeString('name'),
    changes: t.field({
      type: [RowChangeType],
      nullable: true,
      description: 'The first hundred; null when the version before is not kept any more.',
      resolve: ({ changes }) => changes ?? null,
    }),
    changeCount: t.exposeInt('changeCount', { description: 'How many there are in all.' }),
    conflicts: t.expose('conflicts', { type: [ConflictType] }),
  }),
});

const HistoryType = builder.objectRef<History>('ChecklistHistory').implement({
  description: 'Newest first.',
  fields: t => ({
    entries: t.expose('entries', { type: [HistoryEntryType] }),
    more: t.exposeBoolean('more', { description: 'Whether older ones are kept: ask for those before the last one.' }),
  }),
});

const RevisionType = builder.objectRef<Revision>('ChecklistRevision').implement({
  fields: t => ({
    epoch: t.exposeString('epoch'),
    seq: t.exposeInt('seq'),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    account: t.exposeString('account'),
    kind: t.exposeString('kind'),
    name: t.exposeString('name'),
    text: t.exposeString('text'),
  }),
});

const PositionInput = builder.inputType('PositionInput', {
  description: "A version's place in the history.",
  fields: t => ({ epoch: t.string(), seq: t.int() }),
});

builder.queryFields(t => ({
  checklistHistory: t.field({
    type: HistoryType,
    description: 'The versions of an issue’s checklist.',
    args: {
      issueId: t.arg.id(),
      before: t.arg({ type: PositionInput, required: false, description: 'Only what is older than this one.' }),
      first: t.arg.int({ required: false, description: 'At most so many, 1 to 100; 20 when left out.' }),
    },
    resolve: (_root, { issueId, before, first }, { checklists }) =>
      checklists.history(issueId, { first: first ?? 20, ...(before && { before }) }),
  }),
  checklistRevision: t.field({
    type: RevisionType,
    description: 'One version with its text.',
    args: { issueId: t.arg.id(), epoch: t.arg.string(), seq: t.arg.int() },
    resolve: (_root, { issueId, epoch, seq }, { checklists }) => checklists.revision(issueId, { epoch, seq }),
  }),
}));
