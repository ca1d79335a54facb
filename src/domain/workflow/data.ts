import { normalName } from '../statuses.ts';

/*
 * The data of a checklist that workflow rules read. As the tracker limits the length of expressions, the data has the
 * finished sentences of refusals. A sentence is empty if no item is open.
 */

/** Sentences about open items, such as `2 items are open: Approved by security, Load test`. Keys are made by `ruleKey`. */
export interface OpenItems {
  /** Whole percent of items that are done. */
  percent: number;
  all: string;
  mandatory: string;
  /** By the section's name; sections of one name are one. Items of sub-sections are included. */
  sections: Record<string, string>;
  /** By the name of a status of the tracker: items that are to be done before the issue gets it. */
  gates: Record<string, string>;
}

/** The member `rules` of the issue property. */
export interface RuleData extends OpenItems {
  /** Items; 0 means that there is no checklist. */
  total: number;
  /** The sentences if skipped items count as open. Left out if no item is skipped. */
  strict?: OpenItems;
  /** By the name of an item status: a sentence about the items that have it. Has all statuses of its time. */
  statuses: Record<string, string>;
  /** Sentences about the items that are overdue after a day, which is a number as in 20261120. Earliest day first. */
  due: { d: number; t: string }[];
}

/** A name in the records. The colon keeps it apart from what the tracker's maps can do, such as `get`. */
export const ruleKey = (name: string): string => `:${normalName(name)}`;
