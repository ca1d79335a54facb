import type { EditorView } from '@codemirror/view';
import type { ChecklistStore } from '../../../client/checklist.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { nameAuthor, unnamedConflicts } from '../../../editor/index.ts';
import { findAuthor } from '../../model/checklist/conflict-author.ts';

/** Names the authors of an editor's conflicts whose events did not come, each by one request. To be called with each update. */
export function authorNaming(graphql: GraphqlClient, store: ChecklistStore): (view: EditorView) => void {
  const asked = new Set<string>();
  return view => {
    for (const found of unnamedConflicts(view.state)) {
      const conflict = { ...found.conflict, rowId: found.rowId };
      const key = JSON.stringify([conflict.rowId, conflict.attribute, conflict.theirs]);
      if (asked.has(key)) continue;
      asked.add(key);
      findAuthor(graphql, store.issueId, conflict).then(
        by => {
          if (by === undefined) return;
          view.dispatch({ effects: nameAuthor(found, by) });
          store.savedValues()?.nameAuthor(conflict, by);
        },
        // Without an answer the author stays unnamed.
        () => undefined,
      );
    }
  };
}
