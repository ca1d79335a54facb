import type { TemplateRoom } from '../../../client/admin/templates.ts';
import { limitReached } from '../../../domain/messages.ts';

/** Where a template is available: one project or the whole site. */
export type Scope = 'project' | 'global';

export const scopeWords: Record<Scope, string> = { project: 'This project', global: 'Whole site' };

/** Counts and limits of templates, of the site and of the current project. */
export interface Rooms {
  global: TemplateRoom;
  project: TemplateRoom | null;
}

/** The message if a scope's template limit is reached, else `undefined`. */
export function fullOf(scope: Scope, rooms: Rooms | undefined): string | undefined {
  const room = rooms?.[scope];
  if (!room || room.most === null || room.count < room.most) return undefined;
  return scope === 'global' ? limitReached.globalTemplates : limitReached.projectTemplates;
}

/** “1 item”, “12 items”. */
export const itemWords = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`;
