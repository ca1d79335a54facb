import type { RowChange } from '../../text/compare.ts';
import type { History, HistoryEntry, IdentifiedChange, Position, Revision, RowTouch } from '../checklists/types.ts';
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
  values: Object.fromEntries(Object.entries(kinds).map(([value, name]) => [name, { value }])) as {
    [Kind in RowChange['kind'] as (typeof kinds)[Kind]]: { value: Kind };
  },
});

/** One end of a change in words of the wire: a status by its slug, a flag as `true` or `false`. */
function written(value: Extract<RowChange, { from: unknown }>['from']): string | null {
  if (value === undefined) return null;
  return typeof value === 'object' ? value.slug : String(value);
}

const RowChangeType = builder.objectRef<IdentifiedChange>('RowChange').implement({
  description: 'One thing that became of one row.',
  fields: t => ({
    kind: t.expose('kind', { type: RowChangeKind }),
    rowId: t.exposeString('rowId', { nullable: true, description: 'The row’s lasting id, where it is known.' }),
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
    account: t.exposeString('account', { description: 'Account id of whoever made it.' }),
    kind: t.exposeString('kind', { description: 'The mutation that made it, or what was found.' }),
    name: t.exposeString('name'),
    previous: t.field({
      type: PositionType,
      nullable: true,
      description: 'What it was made of; null for the first one, and when that is not kept any more.',
      resolve: ({ previous }) => previous ?? null,
    }),
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
    next: t.field({
      type: PositionType,
      nullable: true,
      description: 'Ask for those before it; null when nothing older is kept. A page may be empty and have one.',
      resolve: ({ next }) => next ?? null,
    }),
  }),
});

const RowTouchType = builder.objectRef<RowTouch>('RowTouch').implement({
  description: 'A row of the newest version, and the version that touched it last.',
  fields: t => ({
    index: t.exposeInt('index'),
    row: t.exposeString('row', { description: 'What it says now.' }),
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
  description: 'Of one person, one kind of change, one row. Entries then have only the changes that fit.',
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
      before: t.arg({ type: PositionInput, required: false, description: 'Only what is older than this one.' }),
      first: t.arg.int({ required: false, description: 'At most so many, 1 to 100; 20 when left out.' }),
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
  checklistTouches: t.field({
    type: [RowTouchType],
    description: 'Which version touched each row last; not of rows that nothing that is kept has touched.',
    args: { issueId: t.arg.id() },
    resolve: (_root, { issueId }, { checklists }) => checklists.touches(issueId),
  }),
}));
