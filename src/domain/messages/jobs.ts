/** Messages about jobs over a project or a site; the specification fixes only those at their start. */

export const notFound = 'There is no such job.';
export const busy = 'The same is under way already. Wait for it to end, or cancel it.';
export const notAnswering = 'The tracker does not answer. This goes on as soon as it does.';
export const startedOver = 'The tracker lost the place in its list of issues, so this began anew.';
export const uninstalled = 'The app was uninstalled.';
export const issueFailed = 'This issue could not be worked on.';
export const refused = (status: number) => `The tracker refused the list of issues (${status}).`;
export const wouldImport = (items: number) => `${items} ${items === 1 ? 'item' : 'items'} would be imported.`;
export const templateLost = (name: string) =>
  `There was no room for the text of the template “${name}”. Write it anew.`;
export const templateKept = (name: string) =>
  `The template “${name}” is for its projects alone: that all of the site had it is not certain. An administrator can move it.`;
export const templatesCut = (project: string, edition: string) =>
  `Project ${project} has more templates in ${edition} than this app can read. Export them there and import them here.`;
export const statusLeft = (name: string) =>
  `The status “${name}” stays as it is here: not all projects had it changed like that.`;
export const joined = (edition: string) => `There was a checklist here already. That of ${edition} was added to it.`;
export const imported = (items: number) => `${items} ${items === 1 ? 'item' : 'items'} imported.`;
