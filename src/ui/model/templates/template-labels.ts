import type { TemplateRoom } from '../../../client/admin/templates.ts';
import { limitReached } from '../../../domain/messages.ts';

/** For whom a template is: one project, or the whole site. */
export type Scope = 'project' | 'global';

export const scopeWords: Record<Scope, string> = { project: 'This project', global: 'Whole site' };

/** How many templates there are and may be, of the site and of the project that one looks from. */
export interface Rooms {
  global: TemplateRoom;
  project: TemplateRoom | null;
}

/** Why the edition holds no more templates of a scope; `undefined` when it does. */
export function fullOf(scope: Scope, rooms: Rooms | undefined): string | undefined {
  const room = rooms?.[scope];
  if (!room || room.most === null || room.count < room.most) return undefined;
  return scope === 'global' ? limitReached.globalTemplates : limitReached.projectTemplates;
}

/** “1 item”, “12 items”. */
export const itemWords = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`;
