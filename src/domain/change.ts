import * as v from 'valibot';
import { failures } from './messages.ts';
import type { PermissionFlags } from './permissions.ts';

/*
 * All kinds of checklist changes: schema, permissions, summary and failure message. Outbox, GraphQL, server and command
 * line share them. A new kind needs one schema, one entry of `kinds`, and its implementation: `performEdit`, or
 * `decide/edit.ts` of the server if only the server knows the text. Schemas are strict: an unknown member would be
 * acknowledged and lost.
 */

/** 32-bit integer, as in the database. */
const count = v.pipe(v.number(), v.integer(), v.minValue(-(2 ** 31)), v.maxValue(2 ** 31 - 1));
const list = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.readonly());

/** Id of a project or issue type. */
const trackerId = v.pipe(v.string(), v.regex(/^\d{1,18}$/));

/** Identifies a row in the base by index and text. */
const target = v.strictObject({ index: count, text: v.string() });

/** A value that a row of the base had before another user changed it: `attribute` is a conflict's. */
const earlierValue = v.strictObject({ index: count, attribute: v.string(), value: v.string() });
export type EarlierValue = v.InferOutput<typeof earlierValue>;

/** In characters. Each mention of an account may become the account's display name. */
export const DISPLAY_NAME_MAX = 255;

/** Values of an item or a header; absent ones stay, `null` clears. */
const itemValues = v.strictObject({
  text: v.exactOptional(v.string()),
  /** Detail lines without their marks. */
  details: v.exactOptional(v.string()),
  mandatory: v.exactOptional(v.boolean()),
  /** Account id. */
  assignee: v.exactOptional(v.nullable(v.string())),
  /** ISO day. */
  dueDate: v.exactOptional(v.nullable(v.string())),
  /** Display names by account id: a cleared assignee who is mentioned inside the sentence becomes the name. */
  names: v.exactOptional(v.pipe(v.record(v.string(), v.string()), v.readonly())),
  /** All gates of a header: names of the tracker's statuses before which its section is to be complete. */
  gates: v.exactOptional(list(v.string())),
  /** Whether portal customers see a header's section. */
  customers: v.exactOptional(v.boolean()),
});
export type ItemValues = v.InferOutput<typeof itemValues>;

/**
 * The entry in the history of a change that undoes another one or makes it again: `undo:` or `redo:`, and the other's
 * kind. Without effect inside of `changeChecklistItems`.
 */
const logged = { log: v.exactOptional(v.pipe(v.string(), v.regex(/^(undo|redo):[A-Za-z]{1,40}$/))) };

/** Changes of one row. */
const rowEdits = [
  /** `status` is a slug. */
  v.strictObject({ kind: v.literal('setItemStatus'), target, status: v.string(), ...logged }),
  v.strictObject({ kind: v.literal('updateChecklistItem'), target, values: itemValues, ...logged }),
  v.strictObject({ kind: v.literal('deleteChecklistItem'), target, ...logged }),
] as const;
const rowEdit = v.variant('kind', rowEdits);
export type RowEdit = v.InferOutput<typeof rowEdit>;

/** Changes whose text the client can compute. */
const edits = [
  ...rowEdits,
  v.strictObject({
    kind: v.literal('updateChecklistFromText'),
    text: v.string(),
    name: v.exactOptional(v.string()),
    /** The lasting ids of the text's rows, in their order; '' for a row whose id is not known. */
    rows: v.exactOptional(list(v.string())),
    /**
     * The base's values before conflicts that the author has not decided. The change is merged with them as its base, so
     * that it meets the other user's values as the conflicts that they are.
     */
    undecided: v.exactOptional(list(earlierValue)),
    ...logged,
  }),
  /** One item per line; before the row of that index, else at the end. */
  v.strictObject({
    kind: v.literal('addChecklistItemsFromText'),
    text: v.string(),
    index: v.exactOptional(count),
    /** The lasting ids of the added rows, in their order; '' for a row without one. Rows that come back have theirs again. */
    rows: v.exactOptional(list(v.string())),
    ...logged,
  }),
  /** Changes of several rows, each once, with indexes in the common base; all are made, or none. */
  v.strictObject({ kind: v.literal('changeChecklistItems'), edits: list(rowEdit), ...logged }),
  /** Rows, or one header with its section, go before the row of that index; the number of rows is the end. */
  v.strictObject({
    kind: v.literal('moveChecklistItem'),
    targets: list(target),
    section: v.boolean(),
    index: count,
    ...logged,
  }),
  v.strictObject({ kind: v.literal('clearChecklist'), ...logged }),
] as const;

/** Position of a template's rows. */
const templatePlace = {
  /** `APPEND` adds them at the end, `REPLACE` replaces the existing rows. */
  mode: v.picklist(['APPEND', 'REPLACE']),
  /** The header of the target section; without it, the whole checklist. */
  section: v.exactOptional(target),
};
const templatePlaceSchema = v.strictObject(templatePlace);
export type TemplatePlace = v.InferOutput<typeof templatePlaceSchema>;

/** Changes whose text only the server can compute: they show when acknowledged. */
const serverEdits = [
  v.strictObject({ kind: v.literal('applyTemplateToChecklist'), templateIds: list(v.string()), ...templatePlace }),
  v.strictObject({ kind: v.literal('applyDemoTemplateToChecklist'), ...templatePlace }),
  /** Creates an issue from the item, which then holds its key: a sub-task, or a linked issue. */
  v.strictObject({
    kind: v.literal('convertItemToIssue'),
    target,
    to: v.picklist(['SUBTASK', 'LINKED_ISSUE']),
    /** Ids; by default the checklist's project, and a type that fits. */
    project: v.exactOptional(trackerId),
    issueType: v.exactOptional(trackerId),
    /** The key replaces the item's words. */
    replaces: v.exactOptional(v.boolean()),
    /** The item is completed with the issue, and reopened with it. */
    follows: v.exactOptional(v.boolean()),
  }),
  /** Replaces the whole text by that of an earlier revision. */
  v.strictObject({ kind: v.literal('restoreChecklistRevision'), epoch: v.string(), seq: count }),
] as const;

export const editSchema = v.variant('kind', edits);
export type ChecklistEdit = v.InferOutput<typeof editSchema>;

export const changeSchema = v.variant('kind', [...edits, ...serverEdits]);
/** One change of a checklist as its author made it. */
export type ChecklistChange = v.InferOutput<typeof changeSchema>;
/** A change whose text only the server can compute. */
export type ServerEdit = Exclude<ChecklistChange, ChecklistEdit>;
export type ChangeKind = ChecklistChange['kind'];

/** Properties of a kind of change. */
interface Kind {
  /** The required permissions, besides those of the contained changes. */
  needs: readonly (keyof PermissionFlags)[];
  /** The entry in the history, after the author's name. */
  summary: string;
  /** The failure message, if the kind has one. */
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
  // Also requires the account's own permission to create issues.
  convertItemToIssue: { needs: ['canEditChecklist'], summary: 'converted an item to an issue' },
  restoreChecklistRevision: { needs: ['canEditChecklist'], summary: 'restored an earlier version' },
};

/** Whether a change can be shown before the server has answered. */
export const isEdit = (change: ChecklistChange): change is ChecklistEdit =>
  edits.some(({ entries }) => entries.kind.literal === change.kind);

const partsOf = (change: ChecklistChange) => (change.kind === 'changeChecklistItems' ? change.edits : []);

/** The permissions that a change requires, including that of deleting rows if a template replaces them. */
export function flagsFor(change: ChecklistChange): (keyof PermissionFlags)[] {
  const replaces = 'mode' in change && change.mode === 'REPLACE' ? kinds.clearChecklist.needs : [];
  return [...new Set([...kinds[change.kind].needs, ...partsOf(change).flatMap(flagsFor), ...replaces])];
}

/** Whether these permissions allow a change. */
export const mayMake = (flags: PermissionFlags, change: ChecklistChange): boolean =>
  flagsFor(change).every(flag => flags[flag]);

/** The failure message of a change; changes of several rows of one kind use that kind's. */
export function changeFailure(change: ChecklistChange): string {
  const [first, ...otherParts] = partsOf(change);
  const uniform = first && otherParts.every(({ kind }) => kind === first.kind);
  return kinds[uniform ? first.kind : change.kind].failure ?? failures.updateChecklist;
}

const isKind = (name: string): name is ChangeKind => Object.hasOwn(kinds, name);

/** The entry that undoes an entry of the history, or makes it again if that one undoes another. */
export const inverseEntry = (entry: string): string =>
  entry.startsWith('undo:') ? entry.replace('undo', 'redo') : `undo:${entry.replace('redo:', '')}`;

/** The history entry of a kind of change, after its author's name; `undefined` for unknown kinds. */
export const summaryOf = (kind: string): string | undefined => (isKind(kind) ? kinds[kind].summary : undefined);

/** Whether a change affects what rows say, and neither adds nor deletes nor moves one. */
export const keepsRows = (change: ChecklistChange): boolean =>
  change.kind === 'changeChecklistItems'
    ? change.edits.every(keepsRows)
    : change.kind === 'setItemStatus' || change.kind === 'updateChecklistItem';

/** A change that adds its rows as new ones. */
export function withoutRowIds(change: ChecklistChange): ChecklistChange {
  if (change.kind !== 'addChecklistItemsFromText') return change;
  const { rows: _, ...added } = change;
  return added;
}

/** The texts of a change that were typed or pasted. */
export function typedTexts(change: ChecklistChange): string[] {
  if (change.kind === 'changeChecklistItems') return change.edits.flatMap(typedTexts);
  if (change.kind !== 'updateChecklistItem') return 'text' in change ? [change.text] : [];
  const { text, details } = change.values;
  return [text, details].filter(typed => typed !== undefined);
}

/** The display names that a change brings. */
export function displayNames(change: ChecklistChange): string[] {
  if (change.kind === 'changeChecklistItems') return change.edits.flatMap(displayNames);
  return change.kind === 'updateChecklistItem' ? Object.values(change.values.names ?? {}) : [];
}

/** How many values a change of rows sets: each is a reading of its row. A deletion counts as one. */
export function valueCount(change: ChecklistChange): number {
  if (change.kind === 'changeChecklistItems') return change.edits.reduce((sum, edit) => sum + valueCount(edit), 0);
  if (change.kind === 'updateChecklistFromText') return Math.max(1, change.undecided?.length ?? 0);
  if (change.kind !== 'updateChecklistItem') return 1;
  const { names: _, gates, ...values } = change.values;
  return Math.max(1, Object.keys(values).length + (gates?.length ?? 0));
}

/** The base of a change as sent. `text` is needed only if the server does not know the rest. */
export interface SentBase {
  epoch: string;
  seq: number;
  /** See `hashText`. */
  hash: string;
  text?: string;
  /** The lasting ids of the rows of `text`, as far as known. */
  rows?: string[];
}
