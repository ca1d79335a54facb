import type { ChecklistChange, SentBase } from '../../domain/change.ts';
import type { IssueFlag, PermissionFlags } from '../../domain/permissions.ts';
import type { RowChange } from '../../text/compare.ts';
import type { Conflict } from '../../text/merge.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { TemplateUses } from '../templates/uses.ts';
import type { AssignedCounts, AssignedPage, AssignedPageQuery, AssignedQuery } from './assigned/types.ts';
import type { ChecklistSummary } from './summaries.ts';

/** Where a checklist was read: the issue property, a text field, our own last revision, or nowhere. */
export type ChecklistSource = 'PROPERTY' | 'FIELD' | 'REVISION' | 'NONE';

/** A checklist as a reader gets it. What is not ours yet has epoch '' and seq 0. */
export interface ChecklistView {
  issueId: string;
  epoch: string;
  seq: number;
  /** Of the text, see `hashText`. */
  hash: string;
  name: string;
  text: string;
  source: ChecklistSource;
}

/** A checklist as it was read. `notices` say what is not as it should be, in words for people. */
export interface ChecklistReading extends ChecklistView {
  notices: string[];
  /** A copy in the tracker is not written yet though it is time: there where it is so. */
  isCopyPending?: true;
}

export interface ChangeBase extends SentBase {
  /** A base that the server does not know is what stands there now. */
  orCurrent?: true;
}

/** A base that nobody knows: what stands there now. */
export const NOW: ChangeBase = { epoch: '', seq: 0, hash: '-', orCurrent: true };

export interface ChangeRequest {
  issueId: string;
  /** Made up by the client: the same id again is the same change again. */
  clientId: string;
  base: ChangeBase;
  edit: ChecklistChange;
}

/** Changes that nobody asks for on an issue, by the name that they have in its history. */
export type BackgroundChange = 'bringStatuses' | 'inherited' | 'foreignProperty' | 'foreignField';

/** A request whose edit is a function: what storing it needs to know. */
export interface PreparedChange {
  issueId: string;
  clientId: string;
  base: ChangeBase;
  kind: ChecklistChange['kind'] | BackgroundChange;
  /** The checklist's new name, where the change gives one. */
  name: string | undefined;
  /**
   * The text that the edit makes of its base, whose rows' lasting ids can be asked for. Throws `Refused` or the edit's
   * own typed errors.
   */
  apply(base: string, statuses: StatusRegistry, rows: () => readonly string[]): string;
  /** All of that text, where it was read elsewhere: it may be an old version, whose rows are known. */
  readText?: string;
  /** The lasting ids of that text's rows, where they are known. */
  rows?: readonly string[];
  /** Where there are as many rows as in the base, they are those, one by one, whatever they say now. */
  keepsRows?: true;
  /** What it means for the templates that the issue carries. */
  uses?: TemplateUses | undefined;
  /** Its author may not add rows: a row that is gone does not come back by it either. */
  addsNoRows?: boolean;
}

/** A change that was made. `notices` say what did not go along, in words for people. */
export interface ChangeOutcome {
  checklist: ChecklistView;
  conflicts: Conflict<string>[];
  notices: string[];
  /** Of the issue that was made of an item. */
  issueKey?: string;
}

/** A version of a checklist: where it stands in the issue's history, and who made it of the one before. */
export interface Revision {
  epoch: string;
  seq: number;
  created: Date;
  /** Account id. */
  account: string;
  /** What was done: the name of the mutation, or of what we found. */
  kind: string;
  name: string;
  text: string;
}

/** What became of a row, and the row's lasting id where it is known. */
export type ToldChange = RowChange & { rowId: string | undefined };

export interface HistoryEntry extends Omit<Revision, 'text'> {
  /** The version that it was made of, unless that is not kept any more or there was none. */
  previous: Position | undefined;
  conflicts: Conflict<string>[];
  /** What became of each row, at most so many as are shown; `undefined` when the version before is not kept any more. */
  changes: ToldChange[] | undefined;
  /** How many there are in all. */
  changeCount: number;
}

/** Newest first. `next` is where to go on; nothing older is kept without it. */
export interface History {
  entries: HistoryEntry[];
  next?: Position | undefined;
}

/** What is asked for: of one person, one kind of change, one row. An entry then has only the changes that fit. */
export interface HistoryFilter {
  account?: string | undefined;
  kind?: RowChange['kind'] | undefined;
  rowId?: string | undefined;
}

/** A row of the newest version, and what touched it last. */
export interface RowTouch
  extends Omit<Revision, 'kind' | 'name' | 'text'>,
    Pick<RowChange, 'index' | 'row' | 'header'> {
  rowId: string;
  kind: RowChange['kind'];
}

export type Position = Pick<Revision, 'epoch' | 'seq'>;

export interface HistoryPage {
  /** Only what is older than this version. */
  before?: Position;
  /** At most so many. */
  first: number;
  filter: HistoryFilter;
}

/** What a page saw in the tracker. */
export interface Seen {
  /** What the property holds: where that is no revision, a foreign change is looked for. */
  property?: Omit<ChangeBase, 'text' | 'orCurrent'> | undefined;
  /** The hash of the text that the field holds: where it is neither the newest nor what was written last, a foreign change is looked for. */
  field?: string | undefined;
  /** What the tracker does not let the user do: where an earlier answer of it says otherwise, it is asked again. */
  lacking?: readonly IssueFlag[] | undefined;
}

/** The checklists of one tenant, as one account sees them. Every refusal is a `Refused`. */
export interface Checklists {
  /** Whether the account has this flag on the issue; `false` also for an issue that it may not see. */
  allowed(issueId: string, flag: keyof PermissionFlags): Promise<boolean>;
  /** What the account may do on each of the issues; one that it may not see is missing. */
  flags(issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
  /** Those of the issues whose checklist the account may view. */
  viewable(issueIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** What `flags` says, by what the tracker says at this moment. */
  flagsNow(issueIds: readonly string[]): Promise<ReadonlyMap<string, PermissionFlags>>;
  read(issueId: string): Promise<ChecklistReading>;
  /** What the caller's page saw of an issue as that user, at no cost: a hint, never proof. */
  seen(issueId: string, seen: Seen): Promise<void>;
  /** How far the checklists of these issues are; one that the account may not view is missing. */
  summaries(issueIds: readonly string[]): Promise<ChecklistSummary[]>;
  change(request: ChangeRequest): Promise<ChangeOutcome>;
  history(issueId: string, page: HistoryPage): Promise<History>;
  revision(issueId: string, position: Position): Promise<Revision>;
  /** What touched each row last. */
  touches(issueId: string): Promise<RowTouch[]>;
  /** The account's own items across issues, page by page, and how many there are; of issues that it may view. */
  assigned(query: AssignedPageQuery): Promise<AssignedPage>;
  assignedCounts(query: AssignedQuery): Promise<AssignedCounts>;
}
