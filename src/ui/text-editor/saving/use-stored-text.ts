import { useMemo } from 'react';
import { readChecklist } from '../../../text/read.ts';
import type { StatusRegistry } from '../../../text/statuses.ts';
import type { Checklist } from '../../../text/types.ts';
import type { Saving } from './saving.ts';

/** Reads the text as it is stored, which all its editors have in common; as long as that stays, it is read once. */
export function useStoredText(saving: Saving, statuses: StatusRegistry): () => Checklist {
  return useMemo(() => {
    let known = readChecklist(saving.base().text, statuses);
    return () => {
      const { text } = saving.base();
      if (text !== known.text) known = readChecklist(text, statuses, known);
      return known;
    };
  }, [saving, statuses]);
}
