import * as v from 'valibot';
import { failures } from './messages.ts';
import type { PermissionFlags } from './permissions.ts';

/*
 * Every kind of change of a checklist: what it says, and what is known of its kind. Outbox, GraphQL, server and command
 * line share it. A new kind is one schema, one entry of `kinds`, and what it does: `performEdit`, or `apply.ts` of the
 * server where its text is known there only. Schemas are strict: a member that is not known would be acknowledged and lost.
 */

/** As the database has them. */
const count = v.pipe(v.number(), v.integer(), v.minValue(-(2 ** 31)), v.maxValue(2 ** 31 - 1));
const list = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.readonly());

/** A row as a change names it: its index in the base, and its text there. */
const target = v.strictObject({ index: count, text: v.string() });
export type RowTarget = v.InferOutput<typeof target>;

/** What is set on an item; what is left out stays as it is, `null` clears. */
const itemValues = v.strictObject({
  text: v.exactOptional(v.string()),
  /** Lines of detail, without their marks. */
  details: v.exactOptional(v.string()),
  mandatory: v.exactOptional(v.boolean()),
  /** Account id. */
  assignee: v.exactOptional(v.nullable(v.string())),
  /** ISO day. */
  dueDate: v.exactOptional(v.nullable(v.string())),
  /** Display names by account id: what a cleared assignee who is mentioned inside the sentence becomes. */
  names: v.exactOptional(v.pipe(v.record(v.string(), v.string()), v.readonly())),
});
export type ItemValues = v.InferOutput<typeof itemValues>;

/** Changes of one row. */
const rowEdits = [
  /** `status` is a slug. */
  v.strictObject({ kind: v.literal('setItemStatus'), target, status: v.string() }),
  v.strictObject({ kind: v.literal('updateChecklistItem'), target, values: itemValues }),
  v.strictObject({ kind: v.literal('deleteChecklistItem'), target }),
] as const;
const rowEdit = v.variant('kind', rowEdits);
export type RowEdit = v.InferOutput<typeof rowEdit>;

/** Changes whose text is known at once. */
const edits = [
  ...rowEdits,
  v.strictObject({ kind: v.literal('updateChecklistFromText'), text: v.string(), name: v.exactOptional(v.string()) }),
  /** One item a line; before the row of that index, else at the end. */
  v.strictObject({ kind: v.literal('addChecklistItemsFromText'), text: v.string(), index: v.exactOptional(count) }),
  /** Each row's once, counted before any of them; all are made, or none. */
  v.strictObject({ kind: v.literal('changeChecklistItems'), edits: list(rowEdit) }),
  /** Rows, or one header with its section, go before the row of that index; the number of rows is the end. */
  v.strictObject({ kind: v.literal('moveChecklistItem'), targets: list(target), section: v.boolean(), index: count }),
  v.strictObject({ kind: v.literal('clearChecklist') }),
] as const;

/** Where a template's rows go. */
const templatePlace = {
  /** `APPEND` adds them at the end, `REPLACE` puts them in place of the rows there. */
  mode: v.picklist(['APPEND', 'REPLACE']),
  /** The header of the section that they go to; without it, the whole checklist. */
  section: v.exactOptional(target),
};
const templatePlaceSchema = v.strictObject(templatePlace);
export type TemplatePlace = v.InferOutput<typeof templatePlaceSchema>;

/** Changes whose text only the server knows: they show when they are acknowledged. */
const serverEdits = [
  v.strictObject({ kind: v.literal('applyTemplateToChecklist'), templateIds: list(v.string()), ...templatePlace }),
  v.strictObject({ kind: v.literal('applyDemoTemplateToChecklist'), ...templatePlace }),
  /** An issue of the same project is made of the item, which then bears its key: below this one, or linked to it. */
  v.strictObject({ kind: v.literal('convertItemToIssue'), target, to: v.picklist(['SUBTASK', 'LINKED_ISSUE']) }),
  /** The text of an earlier revision takes the place of the whole text. */
  v.strictObject({ kind: v.literal('restoreChecklistRevision'), epoch: v.string(), seq: count }),
] as const;

const editSchema = v.variant('kind', edits);
export type ChecklistEdit = v.InferOutput<typeof editSchema>;

export const changeSchema = v.variant('kind', [...edits, ...serverEdits]);
/** One change of a checklist as its author made it. */
export type ChecklistChange = v.InferOutput<typeof changeSchema>;
/** A change whose text only the server knows. */
export type ServerEdit = Exclude<ChecklistChange, ChecklistEdit>;
export type ChangeKind = ChecklistChange['kind'];

/** What a kind of change is. */
interface Kind {
  /** The permissions that it needs (design.md §4.4), beside those of the changes that it is made of. */
  needs: readonly (keyof PermissionFlags)[];
  /** What was done, as the history tells it after the author's name. */
  summary: string;
  /** What is said when it fails, where spec §8 has words for the kind. */
  failure?: string;
}

const kinds: Record<ChangeKind, Kind> = {
  updateChecklistFromText: { needs: ['canEditChecklist'], summary: 'edited the text' },
  addChecklistItemsFromText: { needs: ['canAddChecklistItems'], summary: 'added items', failure: failures.addItem },
  setItemStatus: { needs: ['canChangeItemStatuses'], summary: 'changed a status' },
  updateChecklistItem: { needs: ['canEditChecklist'], summary: 'changed an item' },
  deleteChecklistItem: { needs: ['canDeleteChecklistItems'], summary: 'deleted an item', failure: failures.deleteItem },
  changeChecklistItems: { needs: [], summary: 'changed several items' },
  moveChecklistItem: { needs: ['canEditChecklist'], summary: 'moved items', failure: failures.moveItem },
  clearChecklist: {
    needs: ['canDeleteChecklistItems'],
    summary: 'cleared the checklist',
    failure: failures.clearChecklist,
  },
  applyTemplateToChecklist: { needs: ['canImportTemplate'], summary: 'applied templates' },
  applyDemoTemplateToChecklist: { needs: ['canImportTemplate'], summary: 'applied the demo template' },
  // And the account's own permission to create issues.
  convertItemToIssue: { needs: ['canEditChecklist'], summary: 'made an issue of an item' },
  restoreChecklistRevision: { needs: ['canEditChecklist'], summary: 'restored an earlier version' },
};

/** Whether a change can be shown before the server has answered. */
export const isEdit = (change: ChecklistChange): change is ChecklistEdit =>
  edits.some(({ entries }) => entries.kind.literal === change.kind);

const partsOf = (change: ChecklistChange) => (change.kind === 'changeChecklistItems' ? change.edits : []);

/** The permissions that a change needs; where a template takes the place of rows, that of deleting them, too. */
export function flagsFor(change: ChecklistChange): (keyof PermissionFlags)[] {
  const replaces = 'mode' in change && change.mode === 'REPLACE' ? kinds.clearChecklist.needs : [];
  return [...new Set([...kinds[change.kind].needs, ...partsOf(change).flatMap(flagsFor), ...replaces])];
}

/** Whether these permissions allow a change. */
export const mayMake = (flags: PermissionFlags, change: ChecklistChange): boolean =>
  flagsFor(change).every(flag => flags[flag]);

/** What is said when a change fails; one that is made of changes of one kind fails as they do. */
export function changeFailure(change: ChecklistChange): string {
  const [first, ...others] = partsOf(change);
  const alike = first && others.every(({ kind }) => kind === first.kind);
  return kinds[alike ? first.kind : change.kind].failure ?? failures.updateChecklist;
}

const isKind = (name: string): name is ChangeKind => Object.hasOwn(kinds, name);

/** What was done by a change of that kind, after its author's name; `undefined` for what is no kind of change. */
export const summaryOf = (kind: string): string | undefined => (isKind(kind) ? kinds[kind].summary : undefined);

/** The texts that were typed for a change, or pasted. */
export function typedTexts(change: ChecklistChange): string[] {
  if (change.kind === 'changeChecklistItems') return change.edits.flatMap(typedTexts);
  if (change.kind !== 'updateChecklistItem') return 'text' in change ? [change.text] : [];
  const { text, details } = change.values;
  return [text, details].filter(typed => typed !== undefined);
}

/** What a change started from, as it is sent. `text` is needed only where the server does not know the rest. */
export interface SentBase {
  epoch: string;
  seq: number;
  /** Of the text, see `hashText`. */
  hash: string;
  text?: string;
}
