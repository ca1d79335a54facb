import type { RegistryStatus, StatusColor } from '../../domain/statuses.ts';
import type { WideJob } from '../queue/wide-types.ts';

/** A status with its scope. */
export interface ManagedStatus extends RegistryStatus {
  /** The id of the only project that it is for; `null` for the whole site. */
  project: string | null;
  builtIn: boolean;
}

/** The uses of a status. */
export interface StatusUse {
  /** Items of mirrored checklists, and their issues. */
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

/** The values to change. */
export interface StatusValues {
  name?: string;
  color?: StatusColor;
  checked?: boolean;
}

/** The statuses after a change, and the job that rewrites texts, if any. */
export interface StatusesChanged {
  statuses: ManagedStatus[];
  job?: WideJob;
}

export interface StatusOrder {
  project: string | null;
  /** All statuses of the scope, in the new order, and in its base. */
  slugs: readonly string[];
  seen: readonly string[];
}

/** The statuses of one tenant with the permissions of one account. Every refusal is a `Refused`. */
export interface Statuses {
  /** The statuses of a project, or of an issue; of the site without either. */
  list(where: { project?: string; issue?: string }): Promise<ManagedStatus[]>;
  use(slug: string): Promise<StatusUse>;
  create(status: NewStatus): Promise<StatusesChanged>;
  update(slug: string, values: StatusValues): Promise<StatusesChanged>;
  /** Removes a status, whose items get the status `to`. */
  remove(slug: string, to: string): Promise<StatusesChanged>;
  reorder(order: StatusOrder): Promise<StatusesChanged>;
}
