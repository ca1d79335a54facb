import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as v from 'valibot';
import { templates as messages } from '../../domain/messages.ts';
import { parseAs, readJson } from '../../domain/shape.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tx } from '../store/tables.ts';
import { type RunTask, runInParts } from '../text-workers/task.ts';
import { createNames, maxTemplatesOf, noRoom, type TemplateLimits, templateName } from './rules.ts';
import { countTemplates, putNewTemplates, type Template, templateKeys } from './templates.ts';
import { countedItems, templateText } from './text-tasks.ts';
import type { ListedTemplate, SkippedTemplate } from './types.ts';

/*
 * The file format of templates (docs/rules.md): JSON, which preserves every character of names and texts.
 */

const FILE_FORMAT = 'smart-checklist-templates';
const MAX_FILE_CHARS = 400_000;
const MAX_FILE_TEMPLATES = 500;
/** An exported file is made and sent in one step. */
const MAX_EXPORTED_CHARS = 1_000_000;
/** Statements are kept short, as the embedded database runs in the thread of all requests. */
const TEMPLATES_PER_STATEMENT = 50;

const fileShape = v.object({
  format: v.literal(FILE_FORMAT),
  version: v.literal(1),
  templates: v.pipe(v.array(v.object({ name: v.string(), text: v.string() })), v.maxLength(MAX_FILE_TEMPLATES)),
});

type Filed = Pick<Template, 'name' | 'text'>;
/** A template of a file in stored form. */
export type ValidTemplate = Filed & { items: number };

export const writeTemplateFile = (templates: readonly Filed[]): string =>
  JSON.stringify(
    { format: FILE_FORMAT, version: 1, templates: templates.map(({ name, text }) => ({ name, text })) },
    undefined,
    2,
  );

/**
 * Throws `Refused` if the templates of some ids that a project may use, or without ids all of its own, are too much for
 * one file. `null` is the whole site.
 */
export async function requireExportable(
  tx: Tx,
  tenant: string,
  project: string | null,
  ids: readonly string[],
): Promise<void> {
  const { size } = await tx
    .selectFrom('template')
    .select(sql<number>`coalesce(sum(length(text)), 0)::float8`.as('size'))
    .where('tenant', '=', tenant)
    .where('deleted', 'is', null)
    .where(eb => {
      const ofProject = eb('project', project === null ? 'is' : '=', project);
      return ids.length === 0
        ? ofProject
        : eb.and([eb.or([eb('project', 'is', null), ofProject]), eb('id', 'in', ids)]);
    })
    .executeTakeFirstOrThrow();
  if (size > MAX_EXPORTED_CHARS)
    throw new Refused('TOO_LARGE', messages.exportTooLarge(size, MAX_EXPORTED_CHARS), 'ids');
}

/** Throws `Refused` for an unreadable or too large file. */
export function readTemplateFile(file: string): Filed[] {
  if (file.length > MAX_FILE_CHARS) throw new Refused('TOO_LARGE', messages.fileTooLarge(MAX_FILE_CHARS), 'file');
  const refusal = () => new Refused('UNREADABLE', messages.unreadable, 'file');
  return parseAs(fileShape, readJson(file.replace(/^\uFEFF/, '')), refusal).templates;
}

/** Reads the texts of a file's templates, before any lock. */
export async function validTemplates(
  run: RunTask,
  filed: readonly Filed[],
): Promise<{ valid: ValidTemplate[]; notTaken: SkippedTemplate[] }> {
  const valid: Filed[] = [];
  const notTaken: SkippedTemplate[] = [];
  for (const { name, text } of filed) {
    try {
      valid.push({ name: templateName(name), text: templateText(text) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notTaken.push({ name, message: error.message });
    }
  }
  const items = await runInParts(run, countedItems, valid);
  return { valid: valid.map((each, index) => ({ ...each, items: items[index] ?? 0 })), notTaken };
}

/** Adds as many templates as the scope has room for, and numbers equal names. Needs the lock of `lockTenant`. */
export async function addTemplates(
  tx: Tx,
  { tenant, account }: Pick<Caller, 'tenant' | 'account'>,
  { project, valid, limits }: { project: string | null; valid: readonly ValidTemplate[]; limits: TemplateLimits },
): Promise<{ templates: ListedTemplate[]; refused: SkippedTemplate[] }> {
  const room = Math.max(0, maxTemplatesOf(limits, project) - (await countTemplates(tx, tenant.id, project)));
  const free = createNames(await templateKeys(tx, tenant.id, project));
  const added = valid.slice(0, room).map(each => ({ ...each, id: randomUUID(), project, name: free(each.name, '') }));
  const templates: ListedTemplate[] = [];
  for (let at = 0; at < added.length; at += TEMPLATES_PER_STATEMENT) {
    templates.push(...(await putNewTemplates(tx, tenant.id, account, added.slice(at, at + TEMPLATES_PER_STATEMENT))));
  }
  return { templates, refused: valid.slice(room).map(({ name }) => ({ name, message: noRoom(project) })) };
}
