/** Messages about losses of a conversion or an export; not fixed by the specification. */

export const nesting = 'Indented items stand at one level now, in the same order.';
export const image = 'An image is not kept.';
export const attachment = 'An attachment is not kept.';
export const address = 'A link keeps its text only.';
export const column = 'A column has no place in a checklist.';
export const status = 'A status of another tool is kept as a label in brackets.';
export const label = 'A status name is too long or holds brackets.';
export const optional =
  'Items are optional here unless they are made mandatory, so the sign for an optional one is gone.';
export const comment = 'A comment is not kept.';
export const setting = 'A setting is not kept.';
export const count = 'A count is not kept; the checklist has its own.';
export const tag = 'A tag is not kept.';
export const title = 'A title of a link is not kept.';
export const look = 'Bold, italic, struck out and code look like other text now.';
export const code = 'Code with braces is ordinary text now.';
export const header = 'A header without a name is not kept.';
