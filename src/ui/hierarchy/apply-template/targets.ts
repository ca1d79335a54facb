import type { HierarchyView } from '../../../client/hierarchy/hierarchy.ts';
import { countsOf } from '../../../client/hierarchy/hierarchy.ts';
import type { TreeIssue } from '../../../client/hierarchy/issue.ts';
import { branchOf } from '../../../client/hierarchy/tree.ts';

/** Which issues of a branch a template is for. */
export interface TargetChoice {
  /** Its topmost issue as well. */
  itself: boolean;
  /** Only those that have no items yet. */
  onlyEmpty: boolean;
  /** Of which project the template is; missing where it is the site's. */
  projectId: string | undefined;
}

/** The issues that a template goes to, and how many of the branch it does not go to, and why. */
export interface Targets {
  issues: readonly TreeIssue[];
  filled: number;
  forbidden: number;
  elsewhere: number;
  /** Nobody knows yet what is in them. */
  unknown: number;
}

/** What applying a template to a branch comes to, as far as is known before. */
export function targetsOf(view: HierarchyView, top: TreeIssue, choice: TargetChoice): Targets {
  const { tree, summaries } = view;
  const found = { filled: 0, forbidden: 0, elsewhere: 0, unknown: 0 };
  const ids = tree ? branchOf(tree, top.id) : [];
  const issues = (choice.itself ? ids : ids.slice(1)).flatMap(id => {
    const issue = tree?.issues.get(id);
    const summary = summaries.get(id);
    if (!issue) return [];
    if (summary === undefined) found.unknown += 1;
    else if (!summary?.permissions.canImportTemplate) found.forbidden += 1;
    else if (choice.projectId !== undefined && choice.projectId !== issue.projectId) found.elsewhere += 1;
    else if (choice.onlyEmpty && (countsOf(view, id)?.total ?? 0) > 0) found.filled += 1;
    else return [issue];
    return [];
  });
  return { issues, ...found };
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The same in words. */
export function targetWords({ issues, filled, forbidden, elsewhere, unknown }: Targets): string {
  const left = [
    ...(filled > 0 ? [`${count(filled, 'has', 'have')} items already`] : []),
    ...(forbidden > 0 ? [`${forbidden} you don't have permission to change`] : []),
    ...(elsewhere > 0 ? [`${count(elsewhere, 'is', 'are')} of another project`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'is', 'are')} not read yet`] : []),
  ];
  const goes = issues.length === 0 ? 'No issue gets it' : `${count(issues.length, 'issue gets', 'issues get')} it`;
  return left.length > 0 ? `${goes}. Left out: ${left.join(', ')}.` : `${goes}.`;
}
