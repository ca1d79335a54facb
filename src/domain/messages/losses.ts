/** Messages about losses of a conversion or an export; not fixed by the specification. */

export const nesting = 'Indented items are now at one level, in the same order.';
export const image = "An image isn't kept.";
export const attachment = "An attachment isn't kept.";
export const address = 'A link keeps its text only.';
export const column = "A column isn't kept.";
export const status = 'A status of another tool is kept as a label in brackets.';
export const label = 'A status name is too long or contains brackets.';
export const optional = 'Items are optional unless marked mandatory, so the mark for optional items is removed.';
export const comment = "A comment isn't kept.";
export const setting = "A setting isn't kept.";
export const count = "A count isn't kept. The checklist has its own.";
export const tag = "A tag isn't kept.";
export const title = "The title of a link isn't kept.";
export const look = 'Bold, italic, strikethrough and code are now plain text.';
export const effect = 'Underlined, raised, lowered and cited text is now plain text.';
export const header = "A header without a name isn't kept.";
export const unparsed = 'A very long block was read line by line, without its Markdown.';
export const length = 'A very long line is kept as it is, with its marks.';
export const depth = 'The page is too complex, so only its text is kept.';
export const archived = "An archived card isn't kept.";
export const nul = 'A character without a meaning in text (NUL) is removed.';
export const half = 'Half a character, as of a cut emoji, is now �.';
