import type { StatusColor } from './statuses.ts';

/** The colours of statuses; separate from the statuses, since the panel shows its rows without them. */
export const statusColors = [
  'gray',
  'purple',
  'blue',
  'red',
  'yellow',
  'green',
] as const satisfies readonly StatusColor[];
