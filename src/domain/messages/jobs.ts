/** Messages about jobs over a project or a site; the specification fixes only those at their start. */

export const notFound = "This job doesn't exist.";
export const busy = 'This is already running. Wait for it to end, or cancel it.';
export const notAnswering = "Jira doesn't answer. This continues when it does.";
/** While calls wait for the tracker's limit; `until` is a time of day in UTC, if it is known. */
export const LIMIT_SENTENCE = 'Jira limits how much apps read and write in an hour.';
export const limited = (until: string | undefined) =>
  `${LIMIT_SENTENCE} This continues ${until === undefined ? 'when Jira allows it' : `at ${until} UTC`}.`;
export const issueUnanswered = "Jira doesn't answer for this issue, but it does for others.";
export const startedOver = "Jira's list of issues was interrupted, so this started again.";
export const uninstalled = 'The app was uninstalled.';
export const issueFailed = "We couldn't update this issue.";
export const notEqual = "The copies in Jira aren't equal yet. They're written in the background.";
export const checkStarted = 'The check of stored data has started.';

/** Words for what a check compares. */
const things = {
  property: 'the issue property',
  field: 'the Checklist Text field',
  verdict: 'what workflow rules read',
  items: 'assigned items',
  statuses: 'the use of statuses',
  counts: 'counts of items',
  templates: 'the use of templates',
  schedule: 'lost work',
  text: 'a stored value',
};
export const repaired = (differences: readonly (keyof typeof things)[]) =>
  differences.length === 0 ? 'Jira took the copies.' : `Repaired: ${differences.map(name => things[name]).join(', ')}.`;
export const copyRepaired = (copy: 'statuses' | 'templates', project: string) =>
  `Repaired: the copy of the ${copy} in project ${project}.`;
export const copyRefused = (copy: 'statuses' | 'templates', project: string) =>
  `Project ${project} doesn't take its copy of the ${copy}. Retrying automatically.`;
export const refused = (status: number) => `Jira refused the list of issues (error ${status}).`;
export const wouldImport = (items: number) => `${items} ${items === 1 ? 'item' : 'items'} would be imported.`;
export const templateLost = (name: string) =>
  `There was no room for the text of the template “${name}”. Write it again.`;
export const templateKept = (name: string) =>
  `The template “${name}” stays a project template, because it may not have been a site template. An administrator can move it.`;
export const templatesCut = (project: string, edition: string) =>
  `Project ${project} has more templates in ${edition} than this app can read. Export them there and import them here.`;
export const statusLeft = (name: string) =>
  `The status “${name}” stays as it is here, because not all projects had the same change.`;
export const panelNotPlaced = (project: string) =>
  `Project ${project} refused the panel's position. Choose it in the project's settings.`;
export const joined = (edition: string) => `This issue already had a checklist. The one of ${edition} was added to it.`;

/** A message lists at most this many kinds of losses. */
const MAX_LISTED_KINDS = 3;

/** `lost`: what the source has and a checklist cannot hold, each as a sentence. */
export function imported(items: number, lost: readonly string[]): string {
  const kinds = [...new Set(lost)];
  const more = kinds.length > MAX_LISTED_KINDS ? [`And ${kinds.length - MAX_LISTED_KINDS} more.`] : [];
  return [`${items} ${items === 1 ? 'item' : 'items'} imported.`, ...kinds.slice(0, MAX_LISTED_KINDS), ...more].join(
    ' ',
  );
}
export const noSource = 'Nothing to import. Issue Checklist has no items on this issue.';
export const importedBefore = 'Nothing to import. The items of Issue Checklist were imported before.';
export const sameItems = 'Nothing to import. The checklist already has these items.';
export const noChecklist = 'Nothing to synchronize. This issue has no checklist.';
export const synchronized = 'Checklist synchronized.';
export const importEnded = 'Import ended.';
export const cancelled = 'This was cancelled.';
export const resultLater = 'This is still running. Its result shows in the checklist.';
