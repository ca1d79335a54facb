import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { badgeKey, badgeOf, badgeShape } from '../../domain/badge.ts';
import { places } from '../../domain/pages.ts';
import { createTimer } from '../../domain/timing.ts';
import { progressOf } from '../../text/progress.ts';
import type { ChecklistView } from '../checklist.ts';
import { isVisible } from '../page.ts';
import type { IssueRef } from '../reading.ts';
import type { Store } from '../store.ts';
import { call } from '../tracker/call.ts';
import { getGranted } from '../tracker/permissions.ts';

/** The badge is written this long after the last change; the project's statuses are known by then. */
const QUIET_DELAY_MS = 3_000;

const issueShape = v.object({ properties: v.optional(v.record(v.string(), v.unknown()), {}) });

/**
 * Keeps `3/7` beside the name of the collapsed context panel: writes the tracker's property for it, as the user, if it
 * differs from the shown checklist and the user may edit the issue. That costs the app no points. Only in Connect's
 * context panel: Forge has no such property. Returns the function that stops it.
 */
export function keepBadge(
  bridge: HostBridge,
  { issueId, issueKey }: IssueRef,
  view: Store<Pick<ChecklistView, 'model' | 'waiting'> | undefined>,
): () => void {
  if (bridge.kind !== 'connect') return () => undefined;
  const key = badgeKey(places.context.key);
  const path = `/rest/api/2/issue/${issueId}`;
  const property = `/rest/api/3/issue/${issueId}/properties/${encodeURIComponent(key)}`;
  /** The property as JSON, `null` for none; `undefined` before it was read. */
  let storedBadge: string | undefined;
  let isOver = false;

  /**
   * The property's value; `null` if there is none, or one of another shape. Read with the issue: a property of its own
   * that does not exist is a 404, which browsers report as an error.
   */
  const readBadge = async () => {
    const { properties } = v.parse(
      issueShape,
      await call(bridge, path, { query: { fields: 'summary', properties: key } }),
    );
    const parsed = v.safeParse(badgeShape, properties[key]);
    return parsed.success ? parsed.output : null;
  };

  async function update(): Promise<void> {
    const shown = view.get();
    if (!shown || shown.waiting > 0 || isOver || !isVisible()) return;
    const badge = badgeOf(progressOf(shown.model.rows));
    const wantedBadge = JSON.stringify(badge ?? null);
    if (wantedBadge === storedBadge) return;
    if ((await bridge.context()).surface !== places.context.surface) return stop();
    storedBadge = JSON.stringify(await readBadge());
    if (wantedBadge === storedBadge || isOver) return;
    if (!(await getGranted(bridge, { issueKey })).has('EDIT_ISSUES')) return stop();
    await call(bridge, property, badge ? { method: 'PUT', json: badge } : { method: 'DELETE' });
    storedBadge = wantedBadge;
  }

  const timer = createTimer(() => void update().catch(() => undefined));
  const stopView = view.subscribe(() => timer.start(QUIET_DELAY_MS));
  timer.start(QUIET_DELAY_MS);
  function stop(): void {
    isOver = true;
    stopView();
    timer.stop();
  }
  return stop;
}
