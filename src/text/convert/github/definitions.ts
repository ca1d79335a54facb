/** Addresses that a text keeps apart from its links, as `[label]: https://…`, by what `labelKey` makes of the label. */
export type Definitions = ReadonlyMap<string, string>;

const definition =
  /^[ \t]{0,3}\[([^\]^[\n][^\][\n]*)\]:[ \t]+<?((?:https?:\/\/|mailto:)[^\s<>]+)>?(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*$/gim;

/** How labels are compared. */
export const labelKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** The addresses whose labels the text names somewhere else too; the first of a label counts. */
export function definitionsOf(text: string): Definitions {
  const used = new Map<string, string>();
  if (!text.includes(']: ')) return used;
  const named = new Set<string>();
  for (const [, label = ''] of text.matchAll(/\[([^\][\n]+)\](?!:)/g)) named.add(labelKey(label));
  for (const [, label = '', address = ''] of text.matchAll(definition)) {
    const key = labelKey(label);
    if (named.has(key) && !used.has(key)) used.set(key, address);
  }
  return used;
}

/** Whether a line says nothing but an address that the links above and below it have now. */
export function isDefinition(line: string, definitions: Definitions): boolean {
  if (definitions.size === 0 || !line.startsWith('[')) return false;
  const [, label = '', address] = new RegExp(definition.source, 'i').exec(line) ?? [];
  return address !== undefined && definitions.get(labelKey(label)) === address;
}
