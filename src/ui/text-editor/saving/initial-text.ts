import type { Offer } from '../../../client/changes.ts';
import type { Draft } from '../../../client/drafts.ts';
import type { Base } from '../../../client/reading.ts';
import { merge } from '../../../text/merge.ts';

/** A text that was never saved, and what it was typed over. */
export type Unsaved = Pick<Draft, 'base' | 'text'>;

/** What the editor opens with: what shows, or an unsaved text of it. */
export interface InitialText {
  text: string;
  base: Base;
  /** The text is an unsaved one. */
  restored: boolean;
}

/** Unsaved texts go on where they were left, one on top of the other, and all on top of what others have stored since. */
export function initialTextOf(base: Base, unsaved: readonly Unsaved[]): InitialText {
  const text = unsaved.reduce((now, left) => merge(left.base.text, left.text, now).text, base.text);
  return { text, base, restored: text !== base.text };
}

/** A whole text that was refused after its editor had gone. */
export function offeredText({ change, base }: Offer): Unsaved | undefined {
  return change.kind === 'updateChecklistFromText' ? { base, text: change.text } : undefined;
}
