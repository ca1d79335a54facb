import * as v from 'valibot';
import type { TemplateRoom } from '../../../client/admin/templates.ts';
import { limitReached } from '../../../domain/messages.ts';
import { readAs } from '../../../domain/shape.ts';

/** The scope of a template: one project or the whole site. */
export type Scope = 'project' | 'global';

export const scopeWords: Record<Scope, string> = { project: 'This project', global: 'Whole site' };

/** Counts and limits of templates, of the site and of the current project. */
export interface Rooms {
  global: TemplateRoom;
  project: TemplateRoom | null;
}

const isFull = (scope: Scope, rooms: Rooms | undefined): boolean => {
  const room = rooms?.[scope];
  return typeof room?.most === 'number' && room.count >= room.most;
};

/** The message if a scope's template limit is reached, else `undefined`; the general one if no offered scope has room. */
export function templateLimitMessage(
  scope: Scope,
  offered: readonly Scope[],
  rooms: Rooms | undefined,
): string | undefined {
  if (!isFull(scope, rooms)) return undefined;
  if (offered.length > 1 && offered.every(each => isFull(each, rooms))) return limitReached.templates;
  return scope === 'global' ? limitReached.globalTemplates : limitReached.projectTemplates;
}

/** “1 item”, “12 items”. */
export const itemWords = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`;

const shape = v.object({
  templateIds: v.pipe(v.array(v.string()), v.minLength(1)),
  names: v.array(v.string()),
  mode: v.picklist(['APPEND', 'REPLACE']),
  /** The header below which the templates' rows go. */
  section: v.optional(v.object({ index: v.number(), text: v.string() })),
});

/** The templates chosen for import, passed from the dialog to the panel that opened it. */
export type TemplateChoice = v.InferOutput<typeof shape>;

/** Parses the dialog's result; `undefined` if nothing was chosen. */
export const parseChoice = (value: unknown): TemplateChoice | undefined => readAs(shape, value);
