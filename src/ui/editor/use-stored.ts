import { useState } from 'react';
import { readChecklist } from '../../text/read.ts';
import type { Checklist } from '../../text/types.ts';
import type { Saving } from './saving.ts';

/** Reads the text as it is stored, which all its editors have in common; as long as that stays, it is read once. */
export function useStored(saving: Saving): () => Checklist {
  const [stored] = useState(() => {
    let known = readChecklist(saving.base().text);
    return () => {
      const { text } = saving.base();
      if (text !== known.text) known = readChecklist(text, undefined, known);
      return known;
    };
  });
  return stored;
}
