/** A row as an edit names it: where it was and what it said. */
export interface RowTarget {
  index: number;
  text: string;
}

/** What can be set on an item; what is left out stays as it is, `null` clears. */
export interface ItemValues {
  text?: string;
  /** Lines of detail, without their marks. */
  details?: string;
  mandatory?: boolean;
  /** Account id. */
  assignee?: string | null;
  /** ISO day. */
  dueDate?: string | null;
  /** Display names by account id: what a cleared assignee who is mentioned inside the sentence becomes. */
  names?: Readonly<Record<string, string>>;
}

/** A change of one row, and nothing else. */
export type RowEdit =
  | { kind: 'setItemStatus'; target: RowTarget; status: string }
  | { kind: 'updateChecklistItem'; target: RowTarget; values: ItemValues }
  | { kind: 'deleteChecklistItem'; target: RowTarget };

/**
 * One change of a checklist as a person made it: what the client shows at once, keeps until it is acknowledged and
 * sends, and what the server applies to the base that it was made on. `kind` is the GraphQL mutation's name.
 */
export type ChecklistEdit =
  | { kind: 'updateChecklistFromText'; text: string; name?: string }
  /** One item a line; before the row of that index, else at the end. */
  | { kind: 'addChecklistItemsFromText'; text: string; index?: number }
  | RowEdit
  /** Changes of several rows, each row's once; all are made, or none. Targets are counted before any of them. */
  | { kind: 'changeChecklistItems'; edits: readonly RowEdit[] }
  /** Rows, or one header with its section, go before the row of that index. */
  | { kind: 'moveChecklistItem'; targets: readonly RowTarget[]; section: boolean; index: number }
  | { kind: 'clearChecklist' };

/** Where a template's rows go: of the whole checklist, or of the section below a header. */
export interface TemplatePlace {
  /** `APPEND` adds them at the end, `REPLACE` puts them in place of the rows there. */
  mode: 'APPEND' | 'REPLACE';
  /** The header. */
  section?: RowTarget;
}

/** A change whose text only the server knows. It is asked for and answered as an edit is, but shows afterwards. */
export type ServerEdit =
  | ({ kind: 'applyTemplateToChecklist'; templateIds: readonly string[] } & TemplatePlace)
  | ({ kind: 'applyDemoTemplateToChecklist' } & TemplatePlace)
  /** An issue of the same project is made of the item, which then bears its key. */
  | { kind: 'convertItemToIssue'; target: RowTarget; to: 'SUBTASK' | 'LINKED_ISSUE' }
  /** The text of an earlier version takes the place of the whole text. */
  | { kind: 'restoreChecklistRevision'; epoch: string; seq: number };

/** Every change of a checklist. */
export type ChecklistChange = ChecklistEdit | ServerEdit;

const atServer: Record<ServerEdit['kind'], true> = {
  applyTemplateToChecklist: true,
  applyDemoTemplateToChecklist: true,
  convertItemToIssue: true,
  restoreChecklistRevision: true,
};

/** Whether a change can be shown before the server has spoken. */
export const isEdit = (change: ChecklistChange): change is ChecklistEdit => !(change.kind in atServer);
