import { losses } from '../../domain/messages.ts';
import type { Loss } from '../convert/blocks.ts';
import type { ExportNotation } from '../export.ts';
import { inlineOf, inlineOfDetails, type Segment } from '../inline.ts';
import type { Checklist } from '../types.ts';

const some = (segments: readonly Segment[], lost: (segment: Segment) => boolean): boolean =>
  segments.some(segment => lost(segment) || ('children' in segment && some(segment.children, lost)));

const looks = new Set(['bold', 'italic', 'strike', 'code']);

/** The segments that each notation cannot write, with the name of the loss. */
const lostIn: Record<ExportNotation, { what: string; of: (segment: Segment) => boolean } | undefined> = {
  github: undefined,
  csv: undefined,
  wiki: undefined,
  text: { what: losses.look, of: ({ type }) => looks.has(type) },
};

/** The losses of `exportChecklist`, by the lines of the checklist. */
export function exportLosses(checklist: Checklist, to: ExportNotation): Loss[] {
  const { rows, starts, text } = checklist;
  const lost: Loss[] = [];
  let line = 1;
  let counted = 0;
  const lineAt = (at: number) => {
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  };
  const rule = lostIn[to];
  rows.forEach((row, i) => {
    const start = starts[i] ?? 0;
    if (to === 'text' && row.kind === 'header' && row.text === '')
      lost.push({ what: losses.header, line: lineAt(start), text: text.slice(start, start + row.level) });
    if (!rule) return;
    if (some(inlineOf(checklist, i), rule.of)) lost.push({ what: rule.what, line: lineAt(start), text: row.text });
    inlineOfDetails(checklist, i).forEach((segments, index) => {
      const detail = row.details[index];
      if (detail && some(segments, rule.of))
        lost.push({ what: rule.what, line: lineAt(start + detail.from), text: detail.text });
    });
  });
  return lost;
}
