/** Item statuses: registry entries, the four built-in ones, and colours. */
export type StatusColor = 'gray' | 'purple' | 'blue' | 'red' | 'yellow' | 'green';

export interface Status {
  slug: string;
  name: string;
  /** Whether an item with this status counts as complete. */
  checked: boolean;
  color: StatusColor;
}

/** A name as names are compared: without regard to case and to runs of blanks. */
export const normalName = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase();

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

/*
 * One picture for each status, wherever one shows: rows, editor, preview, menus, print. Each is one path on a grid of
 * 16 × 16, filled by even and odd in the text's colour, so that its holes show the background in every theme, in forced
 * colours and on paper.
 */

const box = 'M4 1.5h8A2.5 2.5 0 0 1 14.5 4v8a2.5 2.5 0 0 1-2.5 2.5H4A2.5 2.5 0 0 1 1.5 12V4A2.5 2.5 0 0 1 4 1.5z';
const inBox = 'M4 3a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V4a1 1 0 0 0-1-1z';
const ring = 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13z';
const inRing = 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z';
const tick = 'M4.1 8.9L7 11.8l4.9-5.45-1.3-1.2L6.95 9.2 5.4 7.6z';
const cross = 'M5.5 4.45l2.5 2.5 2.5-2.5 1.05 1.05L9.05 8l2.5 2.5-1.05 1.05L8 9.05l-2.5 2.5-1.05-1.05L6.95 8l-2.5-2.5z';
const half = 'M4.5 8h7v3.5h-7z';
const dot = 'M8 5.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5z';

/** The picture of a status, as a path. Shapes differ, not colours alone: boxes are built in, rings a site's own. */
export function statusPath({ slug, checked }: Pick<Status, 'slug' | 'checked'>): string {
  switch (slug) {
    case 'todo':
      return box + inBox;
    case 'in_progress':
      return box + inBox + half;
    case 'done':
      return box + tick;
    case 'skipped':
      return box + inBox + cross;
    default:
      return checked ? ring + tick : ring + inRing + dot;
  }
}
