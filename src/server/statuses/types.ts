import type { RegistryStatus, StatusColor } from '../../domain/statuses.ts';
import type { WideJob } from '../queue/wide-types.ts';

/** A status as those who manage it see it. */
export interface ManagedStatus extends RegistryStatus {
  /** The id of the only project that it is for; `null` for the whole site. */
  project: string | null;
  builtIn: boolean;
}

/** How much would have to change if a status went. */
export interface StatusUse {
  /** Items of checklists that we wrote, and the issues that they are on. */
  items: number;
  issues: number;
  templates: number;
}

export interface NewStatus {
  /** `null` for the whole site. */
  project: string | null;
  name: string;
  color: StatusColor;
  checked: boolean;
}

/** What a status becomes; what is left out stays. */
export interface StatusValues {
  name?: string;
  color?: StatusColor;
  checked?: boolean;
}

/** The registry after a change, and the job that brings the texts after it, where there is something to do. */
export interface StatusesChanged {
  statuses: ManagedStatus[];
  job?: WideJob;
}

export interface StatusOrder {
  project: string | null;
  /** All statuses of the scope, in the new order, and in the one that the caller saw. */
  slugs: readonly string[];
  seen: readonly string[];
}

/** The statuses of one tenant, as one account may see and change them. Every refusal is a `Refused`. */
export interface Statuses {
  /** Those that a project, or an issue, sees; of the site without either. */
  list(where: { project?: string; issue?: string }): Promise<ManagedStatus[]>;
  use(slug: string): Promise<StatusUse>;
  create(status: NewStatus): Promise<StatusesChanged>;
  update(slug: string, values: StatusValues): Promise<StatusesChanged>;
  /** Its items get the status `to`. */
  remove(slug: string, to: string): Promise<StatusesChanged>;
  reorder(order: StatusOrder): Promise<StatusesChanged>;
}
