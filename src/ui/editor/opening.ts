import type { Base } from '../../client/checklist.ts';
import type { Draft } from '../../client/drafts.ts';
import { merge } from '../../text/merge.ts';

/** What the editor opens with: the stored text, or a draft of it that was never saved. */
export interface Opening {
  text: string;
  base: Base;
  /** The text is a draft's. */
  restored: boolean;
}

/** A draft goes on where it was left, on top of what others have stored since. */
export function openingOf(base: Base, draft: Draft | undefined): Opening {
  const text = draft === undefined ? base.text : merge(draft.base.text, draft.text, base.text).text;
  return { text, base, restored: text !== base.text };
}
