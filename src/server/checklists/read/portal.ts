import type { PortalMode } from '../../../domain/permissions.ts';
import type { RegistryStatus, Status } from '../../../domain/statuses.ts';
import { isBuiltIn } from '../../../text/head.ts';
import { customersText } from '../../../text/header/portal.ts';
import { readChecklist } from '../../../text/read.ts';
import { registryBy } from '../../text-workers/reading.ts';
import { textTask } from '../../text-workers/task.ts';

/** The part of a checklist that the portal shows. */
export interface PortalView {
  /** `ALL`: the checklist is read as elsewhere. */
  mode: PortalMode;
  /**
   * The sections for customers, without names of people. Empty if no section is for customers, and in the other modes.
   */
  text: string;
  /** The custom statuses that the text names. */
  statuses: readonly Status[];
}

interface Read {
  text: string;
  statuses: readonly RegistryStatus[];
}

function portalView({ text, statuses }: Read): Pick<PortalView, 'text' | 'statuses'> {
  const registry = registryBy(statuses);
  const shown = customersText(readChecklist(text, registry));
  const used = new Map<string, Status>();
  for (const row of readChecklist(shown, registry).rows)
    if (row.kind === 'checkbox' && !isBuiltIn(row.status)) used.set(row.status.slug, row.status);
  return { text: shown, statuses: [...used.values()] };
}

/** Finds the sections for customers with the statuses that they need to be read. */
export const portalTask = textTask({ name: 'portal', run: portalView, charactersOf: ({ text }: Read) => text.length });
