import * as v from 'valibot';
import { conflictShape, graphql, operation } from './operation.ts';

const changeKinds = [
  'ADDED',
  'DELETED',
  'MOVED',
  'RETYPED',
  'REWORDED',
  'STATUS',
  'MANDATORY',
  'GATES',
  'CUSTOMERS',
  'ASSIGNEE',
  'DUE_DATE',
  'DETAILS',
] as const;
const kindShape = v.picklist(changeKinds);
/** Kinds of row changes. */
export type ChangeKind = v.InferOutput<typeof kindShape>;

const positionShape = v.object({ epoch: v.string(), seq: v.number() });
/** A revision's position in the history of its issue. */
export type Position = v.InferOutput<typeof positionShape>;

const changeShape = v.object({
  kind: kindShape,
  index: v.number(),
  row: v.string(),
  /** The row's lasting id, where it is known. */
  rowId: v.nullable(v.string()),
  header: v.boolean(),
  /** A status by its slug, a person by account id, a flag as `true` or `false`, a position by its section. */
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
});
export type RowChange = v.InferOutput<typeof changeShape>;

const entryShape = v.object({
  epoch: v.string(),
  seq: v.number(),
  created: v.string(),
  account: v.string(),
  kind: v.string(),
  name: v.string(),
  previous: v.nullable(positionShape),
  /** The previous revision's name, where it is another one. */
  previousName: v.nullable(v.string()),
  changes: v.nullable(v.array(changeShape)),
  changeCount: v.number(),
  conflicts: v.array(conflictShape),
});
/** A revision and its differences from the previous one. */
export type HistoryEntry = v.InferOutput<typeof entryShape>;

const historyShape = v.object({ entries: v.array(entryShape), next: v.nullable(positionShape) });

const touchShape = v.object({
  index: v.number(),
  row: v.string(),
  rowId: v.string(),
  header: v.boolean(),
  kind: kindShape,
  epoch: v.string(),
  seq: v.number(),
  created: v.string(),
  account: v.string(),
});
/** A row of the newest revision and its last change. */
export type RowTouch = v.InferOutput<typeof touchShape>;

export const getHistory = operation(
  graphql(`query getHistory($issueId: ID!, $before: PositionInput, $filter: HistoryFilterInput) {
    checklistHistory(issueId: $issueId, before: $before, filter: $filter, first: 30) {
      next { epoch seq }
      entries {
        epoch seq created account kind name previousName changeCount
        previous { epoch seq }
        changes { kind index row rowId header from to }
        conflicts { row attribute mine theirs rowId }
      }
    }
  }`),
  v.object({ checklistHistory: historyShape }),
);

/** The revisions of all authors with conflicts after a position, oldest first, at most `MAX_CONFLICT_ENTRIES`. */
export const getConflicts = operation(
  graphql(`query getConflicts($issueId: ID!, $after: PositionInput!) {
    checklistConflicts(issueId: $issueId, after: $after) {
      epoch seq account conflicts { row attribute mine theirs rowId }
    }
  }`),
  v.object({
    checklistConflicts: v.array(
      v.object({
        ...v.pick(entryShape, ['epoch', 'seq', 'account']).entries,
        conflicts: v.array(conflictShape),
      }),
    ),
  }),
);

export const getRevision = operation(
  graphql(`query getRevision($issueId: ID!, $epoch: String!, $seq: Int!) {
    checklistRevision(issueId: $issueId, epoch: $epoch, seq: $seq) { text }
  }`),
  v.object({ checklistRevision: v.object({ text: v.string() }) }),
);

export const getTouches = operation(
  graphql(`query getTouches($issueId: ID!) {
    checklistTouches(issueId: $issueId) { index row rowId header kind epoch seq created account }
  }`),
  v.object({ checklistTouches: v.array(touchShape) }),
);
