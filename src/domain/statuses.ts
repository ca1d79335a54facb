/** Item statuses: what a registry entry is, the built-in four, and how colours are shown (spec §3). */
export type StatusColor = 'gray' | 'purple' | 'blue' | 'red' | 'yellow' | 'green';

export interface Status {
  slug: string;
  name: string;
  /** Whether an item with this status counts as complete. */
  checked: boolean;
  color: StatusColor;
}

/** A status as a site or a project keeps it. An entry of a built-in slug gives that one its name, colour and place. */
export interface RegistryStatus extends Status {
  /** Names that it had: texts that bear them still mean it. */
  former: readonly string[];
  /** It is going: what bears it is still read, nothing new gets it. */
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

/** The four that every registry has, in the order in which menus show them. */
export const builtInStatuses = [
  { slug: 'todo', name: 'To Do', checked: false, color: 'gray' },
  { slug: 'in_progress', name: 'In Progress', checked: false, color: 'blue' },
  { slug: 'done', name: 'Done', checked: true, color: 'green' },
  { slug: 'skipped', name: 'Skipped', checked: true, color: 'yellow' },
] as const satisfies readonly Status[];
