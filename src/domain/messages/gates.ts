/** Messages about gates of sections. */

const items = (count: number) => (count === 1 ? '1 item' : `${count} items`);

/** A section's gates in one chip. */
export const before = (statuses: readonly string[]) => `Before ${statuses.join(', ')}`;
export const complete = 'complete';
export const open = (count: number) => `${count} open`;

/** Why an issue is not ready for a status. `sections` are their names, an empty one if a header has none. */
export const notReady = (status: string, count: number, sections: readonly string[]) =>
  `Not ready for ${status}: ${items(count)} ${count === 1 ? 'is' : 'are'} open in ${sections.map(name => name || 'a section without a name').join(', ')}.`;

export const explained =
  'Complete this section before the issue moves to a selected status. The panel warns while it is open.';
export const unknown = 'not a status of this project';
export const failed = "We couldn't load the statuses of this project.";
