import type { RowChange } from '../../../text/compare.ts';
import type {
  ConflictEntry,
  History,
  HistoryEntry,
  IdentifiedChange,
  Position,
  Revision,
  RowTouch,
} from '../../checklists/service/types.ts';
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
  gates: 'GATES',
  customers: 'CUSTOMERS',
  assignee: 'ASSIGNEE',
  dueDate: 'DUE_DATE',
  details: 'DETAILS',
} as const satisfies Record<RowChange['kind'], string>;

const RowChangeKind = builder.enumType('RowChangeKind', {
  description: 'RETYPED: another level of a header, or a header that was an item.',
  values: Object.fromEntries(Object.entries(kinds).map(([value, name]) => [name, { value }])) as {
    [Kind in RowChange['kind'] as (typeof kinds)[Kind]]: { value: Kind };
  },
});

/** Serializes a value of a change: a status as its slug, a flag as `true` or `false`. */
function written(value: Extract<RowChange, { from: unknown }>['from']): string | null {
  if (value === undefined) return null;
  return typeof value === 'object' ? value.slug : String(value);
}

const RowChangeType = builder.objectRef<IdentifiedChange>('RowChange').implement({
  description: 'A change of one row.',
  fields: t => ({
    kind: t.expose('kind', { type: RowChangeKind }),
    rowId: t.exposeString('rowId', { nullable: true, description: 'The row’s lasting id, where known.' }),
    index: t.exposeInt('index', { description: 'Index of the row after the change; of a deleted row, before it.' }),
    row: t.exposeString('row', { description: 'Text of the row after the change.' }),
    header: t.exposeBoolean('header'),
    from: t.string({
      nullable: true,
      description: 'For a move the section before it, for a status its slug, for an assignee the account id.',
      resolve: change => ('from' in change ? written(change.from) : null),
    }),
    to: t.string({ nullable: true, resolve: change => ('to' in change ? written(change.to) : null) }),
  }),
});

const PositionType = builder.objectRef<Position>('Position').implement({
  description: "A version's place in the history.",
  fields: t => ({ epoch: t.exposeString('epoch'), seq: t.exposeInt('seq') }),
});

const HistoryEntryType = builder.objectRef<HistoryEntry>('HistoryEntry').implement({
  description: 'A version of a checklist, and how it differs from the one before.',
  fields: t => ({
    epoch: t.exposeString('epoch'),
    seq: t.exposeInt('seq'),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    account: t.exposeString('account', { description: 'Account id of the author.' }),
    kind: t.exposeString('kind', { description: 'The mutation that made it, or the kind of foreign change.' }),
    name: t.exposeString('name'),
    previous: t.field({
      type: PositionType,
      nullable: true,
      description: 'Its base; null for the first one, and where the base was deleted.',
      resolve: ({ previous }) => previous ?? null,
    }),
    previousName: t.string({
      nullable: true,
      description: "The base's name, where it is another one.",
      resolve: ({ previousName }) => previousName ?? null,
    }),
    changes: t.field({
      type: [RowChangeType],
      nullable: true,
      description: 'The first hundred; null where the previous version was deleted.',
      resolve: ({ changes }) => changes ?? null,
    }),
    changeCount: t.exposeInt('changeCount', { description: 'Total number of changes.' }),
    conflicts: t.expose('conflicts', { type: [ConflictType] }),
  }),
});

const ConflictEntryType = builder.objectRef<ConflictEntry>('ConflictEntry').implement({
  description: 'A version that overwrote values of concurrent changes.',
  fields: t => ({
    epoch: t.exposeString('epoch'),
    seq: t.exposeInt('seq'),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    account: t.exposeString('account', { description: 'Account id of the author.' }),
    conflicts: t.expose('conflicts', { type: [ConflictType] }),
  }),
});

const HistoryType = builder.objectRef<History>('ChecklistHistory').implement({
  description: 'Newest first.',
  fields: t => ({
    entries: t.expose('entries', { type: [HistoryEntryType] }),
    next: t.field({
      type: PositionType,
      nullable: true,
      description: 'Position of the next page; null after the last. An empty page may have one.',
      resolve: ({ next }) => next ?? null,
    }),
  }),
});

const RowTouchType = builder.objectRef<RowTouch>('RowTouch').implement({
  description: 'A row of the newest version, and the version that changed it last.',
  fields: t => ({
    index: t.exposeInt('index'),
    row: t.exposeString('row', { description: 'Current text of the row.' }),
    header: t.exposeBoolean('header'),
    rowId: t.exposeString('rowId'),
    kind: t.expose('kind', { type: RowChangeKind }),
    epoch: t.exposeString('epoch'),
    seq: t.exposeInt('seq'),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    account: t.exposeString('account'),
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

const HistoryFilterInput = builder.inputType('HistoryFilterInput', {
  description: 'By account, kind of change, or row. Entries have only the matching changes.',
  fields: t => ({
    account: t.string({ required: false }),
    kind: t.field({ type: RowChangeKind, required: false }),
    rowId: t.string({ required: false }),
  }),
});

builder.queryFields(t => ({
  checklistHistory: t.field({
    type: HistoryType,
    description: 'The versions of an issue’s checklist.',
    args: {
      issueId: t.arg.id(),
      before: t.arg({ type: PositionInput, required: false, description: 'Only older versions than this one.' }),
      first: t.arg.int({ required: false, description: 'Page size, 1 to 100; default 20.' }),
      filter: t.arg({ type: HistoryFilterInput, required: false }),
    },
    resolve: (_root, { issueId, before, first, filter }, { checklists }) =>
      checklists.history(issueId, {
        first: first ?? 20,
        filter: {
          account: filter?.account ?? undefined,
          kind: filter?.kind ?? undefined,
          rowId: filter?.rowId ?? undefined,
        },
        ...(before && { before }),
      }),
  }),
  checklistRevision: t.field({
    type: RevisionType,
    description: 'One version with its text.',
    args: { issueId: t.arg.id(), epoch: t.arg.string(), seq: t.arg.int() },
    resolve: (_root, { issueId, epoch, seq }, { checklists }) => checklists.revision(issueId, { epoch, seq }),
  }),
  checklistConflicts: t.field({
    type: [ConflictEntryType],
    description:
      'The versions with conflicts after a position, oldest first, at most 50; all stored ones for an unknown position.',
    args: { issueId: t.arg.id(), after: t.arg({ type: PositionInput }) },
    resolve: (_root, { issueId, after }, { checklists }) => checklists.conflicts(issueId, after),
  }),
  checklistTouches: t.field({
    type: [RowTouchType],
    description: 'The version that changed each row last; without rows whose last change was deleted from the history.',
    args: { issueId: t.arg.id() },
    resolve: (_root, { issueId }, { checklists }) => checklists.touches(issueId),
  }),
}));
