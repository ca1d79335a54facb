import type { PortalMode } from '../../domain/permissions.ts';
import { createStore, type WritableStore } from '../store.ts';

/** Whether gates, mandatory items and sections for customers take effect. `null` is unknown. */
export interface Enforcement {
  /** Whether some workflow rule of the project checks them. */
  gates: boolean | null;
  mandatory: boolean | null;
  hasPortal: boolean | null;
  /** The content of the project's portal, if there is a portal. */
  portal: PortalMode;
}

/** The known enforcement by issue. */
export type EnforcementStore = WritableStore<ReadonlyMap<string, Enforcement>>;

/** Creates the store of a page. The code that fills the store is loaded with the menus (`load.ts`). */
export const createEnforcementStore = (): EnforcementStore => createStore(new Map());
