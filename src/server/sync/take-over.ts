import { markDue, verdictOf } from '../checklists/copies/due.ts';
import { tooLarge } from '../checklists/copies/property.ts';
import { readText } from '../common/reading.ts';
import { type Place, putPosition } from '../checklists/revisions.ts';
import type { Site } from '../checklists/site.ts';
import { loadState, lockChecklist, readState } from '../checklists/change/state.ts';

/**
 * Has what was adopted written into the tracker's copies, as if it had been changed here; resolves with whether the
 * property has room for it: what has none is left alone.
 */
export async function takeOver(site: Site, place: Place): Promise<boolean> {
  const { store, tenant } = site;
  const registries = await site.registries();
  const statements = [lockChecklist(place), loadState(place, tenant.epoch)] as const;
  return store.exchange(tenant.id, statements, ([, loaded]) => {
    const state = readState(loaded.rows[0]);
    const { last, checklist } = state;
    if (!last || !checklist) return { statements: [], value: true };
    const statuses = registries.of(checklist.project ?? undefined);
    if (tooLarge(last, statuses)) return { statements: [], value: false };
    if (checklist.mirrored) return { statements: [], value: true };
    const { epoch, seq } = last;
    const due = markDue(place, verdictOf(readText(last.text, statuses).rows), state, tenant.mirror !== 'none');
    return { statements: [putPosition({ ...place, epoch, seq }), due.statement], value: true };
  });
}
