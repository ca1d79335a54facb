/*
 * Emphasis of other notations in ours. What may not be touched (code, links, addresses) is put aside first, each between
 * NULs, which no cleaned text holds.
 */

/** `[label](href)` in our notation, or the label alone if we do not link such an address. */
export function linkOf(label: string, href: string): string {
  const text = label.replace(/\[/g, '(').replace(/\]/g, ')').trim();
  if (!isLinked(href)) return text;
  const address = href.replace(/[\s()[\]<>"`]/g, unit =>
    encodeURIComponent(unit).replace('(', '%28').replace(')', '%29'),
  );
  if (text === '' || text === href || `mailto:${text}` === href) return text === '' ? address : text;
  return `[${text}](${address})`;
}

/** Whether our links may have such an address. */
export const isLinked = (href: string): boolean => /^(?:https?:\/\/|mailto:)\S/i.test(href);

/** Code in our notation, or unchanged if our notation cannot hold it. */
export function codeOf(text: string): string {
  const runs = new Set((text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = ['`', '``'].find(({ length }) => !runs.has(length));
  if (text === '' || fence === undefined) return text;
  const [start, end] = [text.startsWith('`') ? ' ' : '', text.endsWith('`') ? ' ' : ''];
  return fence + start + text + end + fence;
}

/** Pairs of a notation's delimiter and its replacement: `['*', '**']` for bold. */
export type Delimiters = readonly (readonly [string, string])[];

const isWord = (unit: string | undefined) => unit !== undefined && /[\p{L}\p{N}]/u.test(unit);

/** Replaces a delimiter if a pair of it stands around words as in `*bold*`: at word edges, no blank inside. */
function respan(text: string, from: string, to: string, report: (inside: string) => void): string {
  if (!text.includes(from)) return text;
  const parts = text.split(from);
  let result = parts[0] ?? '';
  let before = result.at(-1);
  for (let i = 1; i < parts.length; i++) {
    const [inside = '', after] = [parts[i], parts[i + 1]];
    const spans = after !== undefined && inside !== '' && inside.trim() === inside && !isWord(before);
    if (spans && !isWord(after[0])) {
      report(inside);
      result += to + inside + to + after;
      before = after.at(-1) ?? from;
      i++;
    } else {
      result += from + inside;
      before = inside.at(-1) ?? from;
    }
  }
  return result;
}

/** Converts a line: `aside` finds what stays or is made anew by `renew`, the rest gets our emphasis, or none and a report. */
export function respanned(
  text: string,
  aside: RegExp,
  renew: (match: readonly string[]) => string,
  delimiters: Delimiters,
  report: (found: string) => void = () => undefined,
): string {
  // Words alone, as most lines are, hold nothing of any notation.
  if (!/[^\p{L}\p{N} ,.]/u.test(text)) return text;
  const keptParts: string[] = [];
  let prose = text.replace(aside, (...match: unknown[]) => {
    keptParts.push(renew(match.map(part => (typeof part === 'string' ? part : ''))));
    return '\0k\0';
  });
  // Two steps, so that one notation's bold is not taken for the other's.
  delimiters.forEach(([from, to], i) => {
    prose = respan(prose, from, `\0${i}\0`, inside => {
      if (to === '') report(from + inside.replace(/\0(?:k|\d)\0/g, '') + from);
    });
  });
  return restored(prose, keptParts, delimiters);
}

function restored(prose: string, kept: readonly string[], delimiters: Delimiters): string {
  let next = 0;
  return prose.replace(/\0(k|\d)\0/g, (_, sign: string) =>
    sign === 'k' ? (kept[next++] ?? '') : (delimiters[Number(sign)]?.[1] ?? ''),
  );
}
