import * as v from 'valibot';
import { type WebhookAction, webhookActions } from '../../domain/automation/webhooks.ts';
import type { ChecklistChange } from '../../domain/change.ts';
import { automation as messages } from '../../domain/messages.ts';
import { readAs } from '../../domain/shape.ts';
import type { RegistryStatus } from '../../domain/statuses.ts';
import { plainWords } from '../../text/plain-text.ts';
import { sections } from '../../text/progress.ts';
import { targetOf } from '../../text/rows.ts';
import { normalName, type StatusRegistry } from '../../text/status-registry.ts';
import type { CheckboxRow, Checklist } from '../../text/types.ts';
import { Refused } from '../errors/refused.ts';
import { readText, registryBy } from '../text-workers/reading.ts';
import { textTask } from '../text-workers/task.ts';

/*
 * The requests of incoming calls, and the changes of the one vocabulary that they become. Shapes are strict: a misspelt
 * condition would match all items.
 */

const words = v.pipe(v.string(), v.minLength(1), v.maxLength(2_000));

/** Conditions that an item has to meet, all of them. Names and texts are compared without case and runs of blanks. */
const where = v.strictObject({
  /** The item's whole text, without person and day at its end. */
  text: v.exactOptional(words),
  /** A part of it. */
  contains: v.exactOptional(words),
  section: v.exactOptional(words),
  status: v.exactOptional(words),
});
type Where = v.InferOutput<typeof where>;

const about = {
  /** The issue's id or key. */
  issue: v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\s*[\w-]{1,300}\s*$/)),
  /** Idempotency key: the same id again is the same call again. */
  id: v.exactOptional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,60}$/))),
};

/** The body of an incoming call. */
export const callShape = v.variant('action', [
  v.strictObject({
    action: v.literal('addItems'),
    ...about,
    /** One item a line. */
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(50_000)),
    /** The section at whose end they go; without it the checklist's end. */
    section: v.exactOptional(words),
  }),
  v.strictObject({
    action: v.literal('applyTemplate'),
    ...about,
    /** Id or name. */
    template: words,
    mode: v.exactOptional(v.picklist(['append', 'replace'])),
    section: v.exactOptional(words),
  }),
  v.strictObject({ action: v.literal('setStatus'), ...about, status: words, where: v.exactOptional(where) }),
  v.strictObject({ action: v.literal('complete'), ...about, where: v.exactOptional(where) }),
  v.strictObject({ action: v.literal('clear'), ...about }),
]);
export type IncomingCall = v.InferOutput<typeof callShape>;

const same = (one: string, other: string): boolean => normalName(one) === normalName(other);

/** A row's text as it is written, and as it is shown; a call may name either. */
const writings = (checklist: Checklist, index: number): string[] => [
  checklist.rows[index]?.words ?? '',
  plainWords(checklist, index),
];

/** The index of the section's header, and the index after its last row. Throws `Refused` if there is none. */
function sectionOf(checklist: Checklist, name: string): { header: number; end: number } {
  const section = sections(checklist).find(({ header }) => writings(checklist, header).some(each => same(each, name)));
  if (!section) throw new Refused('NOT_FOUND', messages.incoming.section, 'section');
  return section;
}

/** The slug of a status by its name or slug. */
function slugOf({ list }: StatusRegistry, name: string, field: string): string {
  const status = list.find(({ slug }) => slug === name.trim()) ?? list.find(each => same(each.name, name));
  if (!status) throw new Refused('NOT_FOUND', messages.incoming.status, field);
  return status.slug;
}

/** The indexes of the items that meet the conditions. */
function matching(checklist: Checklist, { text, contains, section, status }: Where = {}): number[] {
  const within = section === undefined ? undefined : sectionOf(checklist, section);
  const slug = status === undefined ? undefined : slugOf(checklist.statuses, status, 'where.status');
  const meets = (row: CheckboxRow, index: number): boolean => {
    if (slug !== undefined && row.status.slug !== slug) return false;
    const is = (test: (words: string) => boolean) => writings(checklist, index).some(test);
    return (
      (text === undefined || is(words => same(words, text))) &&
      (contains === undefined || is(words => normalName(words).includes(normalName(contains))))
    );
  };
  return checklist.rows.flatMap((row, index) => {
    if (row.kind === 'header' || (within && !(index > within.header && index < within.end))) return [];
    return meets(row, index) ? [index] : [];
  });
}

/** The change that gives items a status; `undefined` if all have it, or none is left. */
function statusChange(checklist: Checklist, indexes: readonly number[], slug: string): ChecklistChange | undefined {
  const open = indexes.filter(index => {
    const row = checklist.rows[index];
    return row?.kind === 'checkbox' && row.status.slug !== slug;
  });
  const edits = open.map(index => ({
    kind: 'setItemStatus' as const,
    target: targetOf(checklist, index),
    status: slug,
  }));
  return edits.length > 0 ? { kind: 'changeChecklistItems', edits } : undefined;
}

/** A call, and the text that it is about. */
interface Called {
  text: string;
  statuses: readonly RegistryStatus[];
  call: IncomingCall;
  /** The id of the template that the call names, if there is one. */
  template: string | undefined;
}

/** The change that a call asks for; `undefined` if nothing is left to change. Throws `Refused`. */
function changeOf({ text, statuses, call, template }: Called): ChecklistChange | undefined {
  const checklist = readText(text, registryBy(statuses));
  switch (call.action) {
    case 'addItems': {
      const index = call.section === undefined ? undefined : sectionOf(checklist, call.section).end;
      return { kind: 'addChecklistItemsFromText', text: call.text, ...(index !== undefined && { index }) };
    }
    case 'applyTemplate': {
      if (template === undefined) throw new Refused('NOT_FOUND', messages.incoming.template, 'template');
      const section =
        call.section === undefined ? undefined : targetOf(checklist, sectionOf(checklist, call.section).header);
      return {
        kind: 'applyTemplateToChecklist',
        templateIds: [template],
        mode: call.mode === 'replace' ? 'REPLACE' : 'APPEND',
        ...(section && { section }),
      };
    }
    case 'setStatus':
      return statusChange(
        checklist,
        matching(checklist, call.where),
        slugOf(checklist.statuses, call.status, 'status'),
      );
    case 'complete': {
      const open = matching(checklist, call.where).filter(index => {
        const row = checklist.rows[index];
        return row?.kind === 'checkbox' && !row.status.checked;
      });
      return statusChange(checklist, open, 'done');
    }
    case 'clear':
      return checklist.rows.length > 0 ? { kind: 'clearChecklist' } : undefined;
  }
}

/** Finds the change that a call asks for. */
export const calledChange = textTask({
  name: 'called-change',
  run: changeOf,
  charactersOf: ({ text }) => text.length,
});

/** The action of any body, for the log. */
export const actionIn = (body: unknown): WebhookAction | undefined =>
  readAs(v.object({ action: v.picklist(webhookActions) }), body)?.action;
