import * as v from 'valibot';
import { readAs, readJson } from '../domain/shape.ts';
import type { Ap } from './ap.ts';
import { type GadgetFrame, type HostBridge, HostUnreachable, type ModuleFrames, type RuleFrame } from './bridge.ts';

/*
 * Frames of single modules on Connect, which only their screens load.
 */

const ruleShape = v.object({
  rule: v.picklist(['validator', 'condition']),
  entry: v.picklist(['create', 'edit', 'view']),
  config: v.nullish(v.string()),
});

/** The workflow rule of a frame, which its address names. Rejects for another frame. */
async function connectRule(ap: Ap, search: string): Promise<RuleFrame> {
  const named = readAs(ruleShape, Object.fromEntries(new URLSearchParams(search)));
  if (!named) throw new Error('This frame is for no workflow rule.');
  const { rule, entry, config } = named;
  const onSave = async (read: () => string | undefined) => {
    // The host calls the first, and the second if that is true; both at once.
    ap.jira.WorkflowConfiguration.onSaveValidation(() => read() !== undefined);
    ap.jira.WorkflowConfiguration.onSave(() => read() ?? '');
  };
  return { kind: rule, entry, ...(config && { config }), onSave };
}

const gadgetShape = v.object({ dashboardId: v.string(), itemId: v.string(), view: v.nullish(v.string()) });

const propertyShape = v.object({ value: v.unknown() });

/** The property of the dashboard's item that holds the configuration. */
const CONFIG_PROPERTY = 'config';

/** Statuses of an answer to a user who cannot edit the dashboard; the tracker hides some as not found. */
const DENIED: ReadonlySet<number> = new Set([401, 403, 404]);

/** The gadget of a frame, which its address names. Rejects for another frame. */
async function connectGadget(ap: Ap, search: string, request: HostBridge['request']): Promise<GadgetFrame> {
  const named = readAs(gadgetShape, Object.fromEntries(new URLSearchParams(search)));
  if (!named) throw new Error('This frame is no gadget.');
  const { dashboardId, itemId } = named;
  const path = `/rest/api/2/dashboard/${encodeURIComponent(dashboardId)}/items/${encodeURIComponent(itemId)}/properties/${CONFIG_PROPERTY}`;
  const { status, text } = await request(path);
  if (status !== 200 && status !== 404) throw new HostUnreachable(text);
  const config: unknown = status === 200 ? readAs(propertyShape, readJson(text))?.value : undefined;
  // The host keeps one listener of each kind.
  const listeners = { edit: new Set<() => void>(), refresh: new Set<() => void>() };
  const notify = (event: 'edit' | 'refresh') => () => {
    for (const listener of listeners[event]) listener();
  };
  ap.jira.DashboardItem.onDashboardItemEdit(notify('edit'));
  ap.jira.DashboardItem.onDashboardItemRefreshed(notify('refresh'));
  return {
    // A gadget without a configuration begins with its form.
    isEdit: config === undefined,
    ...(config !== undefined && { config }),
    async save(config) {
      const answer = await request(path, { method: 'PUT', json: config });
      if (DENIED.has(answer.status)) return false;
      if (answer.status >= 300) throw new HostUnreachable(answer.text);
      return true;
    },
    on(event, listener) {
      listeners[event].add(listener);
      return () => listeners[event].delete(listener);
    },
  };
}

export const connectModules = (ap: Ap, search: string, request: HostBridge['request']): ModuleFrames => ({
  rule: () => connectRule(ap, search),
  gadget: () => connectGadget(ap, search, request),
});
