import type { PortalMode } from '../../domain/permissions.ts';
import { createStore, type WritableStore } from '../store.ts';

/** What follows from gates, mandatory items and sections for customers. `null` is unknown. */
export interface Enforcement {
  /** Whether some workflow rule of the project checks them. */
  gates: boolean | null;
  mandatory: boolean | null;
  hasPortal: boolean | null;
  /** What the project's portal shows, if there is one. */
  portal: PortalMode;
}

/** What is known, by issue. */
export type EnforcementStore = WritableStore<ReadonlyMap<string, Enforcement>>;

/** One for a page. What fills it is loaded with the menus (`load.ts`). */
export const createEnforcementStore = (): EnforcementStore => createStore(new Map());
