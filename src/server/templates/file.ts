import * as z from 'zod';
import { readJson } from '../../domain/shape.ts';
import { templates as messages } from '../../domain/messages.ts';
import { Refused } from '../errors/refused.ts';
import type { Template } from './templates.ts';

/*
 * Templates as a file (README.md, "Templates as files"): JSON, so that names and texts come back to the character.
 */

const FORMAT = 'smart-checklist-templates';
/** Most characters of a file, and most templates in one. */
const MOST = 400_000;
const MOST_TEMPLATES = 500;

const fileShape = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  templates: z.array(z.object({ name: z.string(), text: z.string() })).max(MOST_TEMPLATES),
});

export const writeFile = (templates: readonly Pick<Template, 'name' | 'text'>[]): string =>
  JSON.stringify(
    { format: FORMAT, version: 1, templates: templates.map(({ name, text }) => ({ name, text })) },
    undefined,
    2,
  );

/** Throws `Refused` when it is none, or too large. */
export function readFile(file: string): Pick<Template, 'name' | 'text'>[] {
  if (file.length > MOST) throw new Refused('TOO_LARGE', messages.fileTooLarge(MOST), 'file');
  const read = fileShape.safeParse(readJson(file.replace(/^\uFEFF/, '')));
  if (!read.success) throw new Refused('UNREADABLE', messages.unreadable, 'file');
  return read.data.templates;
}
