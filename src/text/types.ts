import type { Tree } from '@lezer/common';
import type { Status } from '../domain/statuses.ts';
import type { StatusRegistry } from './status-registry.ts';

/** A change of text, in UTF-16 units; structurally a CodeMirror change. Lists are sorted and do not overlap. */
export interface TextChange {
  from: number;
  to?: number;
  insert?: string;
}

/** A row to change: its last known index and text, so that a stale index never hits another row. */
export interface Target {
  index: number;
  text: string;
}

/** The parts that every row has. Every range inside a row is relative to the row's start. */
interface RowBase {
  /** Length in the text, details and the last line's break included. */
  readonly length: number;
  /** The line without mark, status and `!`; raw markup kept. */
  readonly text: string;
  /** The text without what its end holds and views show beside it: assignee and due date, or a header's marks. */
  readonly words: string;
  /** The range of `text`, relative to the row. */
  readonly content: { readonly from: number; readonly to: number };
  readonly details: readonly Detail[];
  readonly mentions: readonly string[];
  readonly issueKeys: readonly string[];
}

export interface Detail {
  /** The range of the text, relative to the row. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface HeaderRow extends RowBase {
  readonly kind: 'header';
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** Names of the tracker's statuses before which the section is to be complete; each once, as first written. */
  readonly gates: readonly string[];
  /** Whether portal customers see the section. */
  readonly customers: boolean;
  /** The marks of these values, in text order. */
  readonly marks: readonly SectionMark[];
}

/** `!before:NAME`, whose name is `gate`, or `!customers`. */
export interface SectionMark {
  /** The range of the mark, relative to the row. */
  readonly from: number;
  readonly to: number;
  readonly gate?: string;
}

export interface CheckboxRow extends RowBase {
  readonly kind: 'checkbox';
  readonly status: Status;
  readonly mandatory: boolean;
  /**
   * Account id of the tail's resolved mention, else of the mention at the line's end, else of the line's first mention.
   */
  readonly assignee?: string;
  /** ISO day of the tail's date, else the line's first one. */
  readonly dueDate?: string;
}

export type Row = HeaderRow | CheckboxRow;

export interface Progress {
  total: number;
  checked: number;
  /** Whole percent, 0 for an empty checklist. */
  percent: number;
  mandatoryOpen: number;
}

/** One reading of a text: immutable. Unchanged rows are the same objects between two readings. */
export interface Checklist {
  readonly text: string;
  readonly tree: Tree;
  /** By what the labels in brackets were looked up. */
  readonly statuses: StatusRegistry;
  readonly rows: readonly Row[];
  /** Start of each row in the text, index by index, indentation included. Blank lines lie between rows. */
  readonly starts: readonly number[];
}
