import type { ChecklistChange, ChecklistEdit } from '../../../domain/change.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import type { Refusal, RefusedFinding } from '../../errors/refused.ts';
import type { ChangeBase, ChangeOutcome } from '../service/types.ts';
import type { ChecklistIndex } from './consequences.ts';
import type { Notice } from './row-events.ts';
import type { Revision, State } from './state.ts';
import type { WaitingCall } from './webhook-calls.ts';

/*
 * Input and output of `decide`: plain data that can be structured-cloned.
 */

/** A text that the server has loaded for an edit, with its rows' persistent ids if they are known; or why there is none. */
export type SourceText = { text: string; rows: readonly string[] } | { refusal: Refusal };

type TemplateChange = Extract<ChecklistChange, { kind: 'applyTemplateToChecklist' }>;
type DemoTemplateChange = Extract<ChecklistChange, { kind: 'applyDemoTemplateToChecklist' }>;
type Restoration = Extract<ChecklistChange, { kind: 'restoreChecklistRevision' }>;
/** Converts an item to an issue: finds the item while the issue has no key yet, and writes the key afterwards. */
export type Conversion = Extract<ChecklistChange, { kind: 'convertItemToIssue' }>;

/** An edit that users request. */
export type UserEdit =
  | ChecklistEdit
  | DemoTemplateChange
  | (TemplateChange & { source: SourceText })
  | (Restoration & { source: SourceText })
  | (Conversion & { issueKey?: string });

/** An edit that no user requests. */
export type BackgroundEdit =
  /** A text that was read from the tracker, and its name if that changed. */
  | { kind: 'foreignProperty' | 'foreignField' | 'inherited'; text: string; name?: string | undefined }
  /** Adds the rows of another edition's checklist, unless one of these earlier texts has had all of them. */
  | { kind: 'joinInherited'; text: string; earlier: readonly string[] }
  /** Sets the item that follows an issue. `row` is the item's persistent id. */
  | { kind: 'followIssue'; key: string; row: string | null; done: boolean }
  /** Writes custom statuses by their present names; `moves` has the slugs of deleted ones and of their successors. */
  | { kind: 'bringStatuses'; moves: readonly (readonly [string, string])[] }
  | { kind: 'erasePerson'; account: string };

/** The effect of a change, with everything that it needs from outside of the checklist. */
export type Edit = UserEdit | BackgroundEdit;

/** A change to decide on. */
export interface Proposal {
  /** The author. */
  account: string;
  /** Idempotency key: an author's changes with the same key are one change. */
  clientId: string;
  base: ChangeBase;
  edit: Edit;
  /** The merged checklist may not grow beyond this number of items. */
  maxItems: number;
  /** The author lacks the permission to add rows, so the merge does not restore deleted ones either. */
  addsNoRows?: boolean;
  /** Whether findings in the edited text refuse the change, or are reported. Otherwise none are computed. */
  findings?: 'refuse' | 'report' | undefined;
  /** The text is taken over whatever its size: it is a copy of a checklist that the database does not know yet. */
  isFirstCopy?: boolean;
}

export interface DecideInput {
  issue: string;
  /** The epoch of the installation, to which new revisions belong. */
  epoch: string;
  state: State;
  proposals: readonly Proposal[];
  /** The statuses of the issue's project. */
  statuses: readonly RegistryStatus[];
  /** The id of the issue's project, if it is known. */
  project: string | undefined;
  /** New revisions get higher numbers than this. */
  floor?: number;
  /** How much text may be merged, beyond the first change, before the remaining proposals are left out. */
  mergeBudgetChars?: number;
  /** 16 random bytes as hexadecimal digits; all new ids follow from them. */
  seed: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** An item that is to be converted to an issue. */
export interface ItemToConvert {
  /** The item's persistent row id, if it is known. */
  row: string | null;
  /** The issue's summary. */
  summary: string;
}

/** The result of an accepted change. */
export interface AcceptedChange extends ChangeOutcome {
  /** The item of a conversion whose issue has no key yet: nothing was changed. */
  item?: ItemToConvert;
  /** The findings that the change adds, if the proposal asks for them and was not made before. */
  findings?: readonly RefusedFinding[];
}

/** `error` is unexpected. */
export type Outcome = { value: AcceptedChange } | { refusal: Refusal } | { error: unknown };

export interface Decision {
  /** In the order of the proposals; the last ones have none if the budget was used up. */
  outcomes: Outcome[];
  /** New revisions, oldest first. */
  revisions: Revision[];
  /** The newest text's index and verdict (`verdictOf`); `undefined` if text and project are unchanged. */
  newest: { index: ChecklistIndex; verdict: string } | undefined;
  /** Calls of webhooks. */
  calls: WaitingCall[];
  /** Notifications of users. */
  notices: Notice[];
}
