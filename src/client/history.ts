import { graphql, operation, type ResultOf } from './operation.ts';

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
);

/** The revisions of all authors with conflicts after a position, oldest first, at most `MAX_CONFLICT_ENTRIES`. */
export const getConflicts = operation(
  graphql(`query getConflicts($issueId: ID!, $after: PositionInput!) {
    checklistConflicts(issueId: $issueId, after: $after) {
      epoch seq account conflicts { row attribute mine theirs rowId }
    }
  }`),
);

export const getRevision = operation(
  graphql(`query getRevision($issueId: ID!, $epoch: String!, $seq: Int!) {
    checklistRevision(issueId: $issueId, epoch: $epoch, seq: $seq) { text }
  }`),
);

export const getTouches = operation(
  graphql(`query getTouches($issueId: ID!) {
    checklistTouches(issueId: $issueId) { index row rowId header kind epoch seq created account }
  }`),
);

/** A revision and its differences from the previous one. */
export type HistoryEntry = ResultOf<typeof getHistory>['checklistHistory']['entries'][number];
/** A status is given by its slug, a person by account id, a flag as `true` or `false`, a position by its section. */
export type RowChange = NonNullable<HistoryEntry['changes']>[number];
/** Kinds of row changes. */
export type ChangeKind = RowChange['kind'];
/** A revision's position in the history of its issue. */
export type Position = NonNullable<HistoryEntry['previous']>;
/** A row of the newest revision and its last change. */
export type RowTouch = ResultOf<typeof getTouches>['checklistTouches'][number];
