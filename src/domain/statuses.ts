/** Item statuses: registry entries, the four built-in ones, and colours (spec §3). */
export type StatusColor = 'gray' | 'purple' | 'blue' | 'red' | 'yellow' | 'green';

export interface Status {
  slug: string;
  name: string;
  /** Whether an item with this status counts as complete. */
  checked: boolean;
  color: StatusColor;
}

/**
 * A stored status of a site or project. An entry with a built-in slug overrides that one's name, colour and position.
 */
export interface RegistryStatus extends Status {
  /** Earlier names, still recognised in texts. */
  former: readonly string[];
  /** Its deletion is in progress: existing uses are read, new ones refused. */
  going: boolean;
}

/** The kit's lozenge appearance of each colour. */
export const lozengeOf: Record<StatusColor, 'default' | 'new' | 'inprogress' | 'removed' | 'moved' | 'success'> = {
  gray: 'default',
  purple: 'new',
  blue: 'inprogress',
  red: 'removed',
  yellow: 'moved',
  green: 'success',
};

export type BuiltInSlug = 'todo' | 'in_progress' | 'done' | 'skipped';

/** The four statuses of every registry, in menu order. */
export const builtInStatuses = [
  { slug: 'todo', name: 'To Do', checked: false, color: 'gray' },
  { slug: 'in_progress', name: 'In Progress', checked: false, color: 'blue' },
  { slug: 'done', name: 'Done', checked: true, color: 'green' },
  { slug: 'skipped', name: 'Skipped', checked: true, color: 'yellow' },
] as const satisfies readonly Status[];
