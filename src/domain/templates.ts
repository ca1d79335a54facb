import * as v from 'valibot';
import { PROPERTY_CAPACITY } from './constants.ts';
import { readAs } from './shape.ts';
import { encodedSize } from './storage.ts';

/*
 * The templates in properties of the project, readable without our server: an index of the usable ones, the
 * texts of the first ones, and the id of the default one. `more` is set if some do not fit.
 */

/** A template in a list. */
export interface OfferedTemplate {
  id: string;
  name: string;
  /** For the whole site. */
  global: boolean;
  items: number;
}

const indexShape = v.object({
  v: v.literal(1),
  more: v.boolean(),
  templates: v.array(
    v.pipe(
      v.tuple([v.string(), v.string(), v.boolean(), v.number()]),
      v.transform(([id, name, global, items]): OfferedTemplate => ({ id, name, global, items })),
    ),
  ),
});
const textsShape = v.object({ v: v.literal(1), texts: v.record(v.string(), v.string()) });
const defaultShape = v.object({ v: v.literal(1), id: v.nullable(v.string()) });

/** Encodes the first templates, as many as fit into a property beside `rest`. */
function fitting<T, Stored>(templates: readonly T[], stored: (template: T) => Stored, rest: unknown): Stored[] {
  let remainingSize = PROPERTY_CAPACITY - encodedSize(rest);
  const storedTemplates: Stored[] = [];
  for (const template of templates) {
    const value = stored(template);
    remainingSize -= encodedSize(value) + 1;
    if (remainingSize < 0) break;
    storedTemplates.push(value);
  }
  return storedTemplates;
}

export function encodeTemplateIndex(templates: readonly OfferedTemplate[]) {
  const fittingTemplates = fitting(templates, ({ id, name, global, items }) => [id, name, global, items], {
    v: 1,
    more: false,
    templates: [],
  });
  return { v: 1, more: fittingTemplates.length < templates.length, templates: fittingTemplates };
}

export function encodeTemplateTexts(templates: readonly { id: string; text: string }[]) {
  const fittingTexts = fitting(templates, ({ id, text }) => ({ [id]: text }), { v: 1, texts: {} });
  return { v: 1, texts: Object.assign({}, ...fittingTexts) as Record<string, string> };
}

export const encodeDefaultTemplate = (id: string | null) => ({ v: 1, id });

/** Each reads a stored value; `undefined` for anything else. */
export const parseTemplateIndex = (value: unknown): { templates: OfferedTemplate[]; more: boolean } | undefined =>
  readAs(indexShape, value);
export const parseTemplateTexts = (value: unknown): Record<string, string> | undefined =>
  readAs(textsShape, value)?.texts;
export const parseDefaultTemplate = (value: unknown): string | null | undefined => readAs(defaultShape, value)?.id;

/** The built-in template, which demonstrates the notation. */
export const demoTemplate = {
  name: 'Demo checklist',
  text: `# How a checklist works
- Tick an item when it is done
+ This one is done
~ This one is in progress
x This one is skipped
- ! This one is mandatory: the panel counts it while it is open
- **Bold**, *italic*, \`code\` and [links](https://support.smart-checklist.app) work
> Lines like this are the details of the item above.
> Write as many as you need.

## Who and when
- Type @ to assign an item
- A date is when an item is due: 2030-12-31
- An issue key becomes a link to the issue

## Writing
- Open the editor to see all of this as text
- One line is one item, a line with # is a header
`,
} as const;
