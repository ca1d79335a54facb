import { sections } from '../progress.ts';
import { normalName } from '../status-registry.ts';
import type { CheckboxRow, Checklist, HeaderRow } from '../types.ts';

/** A gated section that is not complete. */
export interface OpenSection {
  header: HeaderRow;
  /** Its items that do not count as complete, in text order. */
  open: readonly CheckboxRow[];
}

/** The items of a header's section that do not count as complete. */
export function openItems(checklist: Checklist, header: HeaderRow): CheckboxRow[] {
  const at = checklist.rows.indexOf(header);
  const section = sections(checklist).find(found => found.header === at);
  const rows = section ? checklist.rows.slice(at + 1, section.end) : [];
  return rows.filter(row => row.kind === 'checkbox').filter(({ status }) => !status.checked);
}

/** The incomplete sections whose gate keeps the issue from a status of the tracker. */
export function sectionsBefore(checklist: Checklist, status: string): OpenSection[] {
  const name = normalName(status);
  return checklist.rows.flatMap(header => {
    if (header.kind !== 'header' || !header.gates.some(gate => normalName(gate) === name)) return [];
    const open = openItems(checklist, header);
    return open.length > 0 ? [{ header, open }] : [];
  });
}
