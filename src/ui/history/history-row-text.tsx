import { useMemo } from 'react';
import { inlineOf } from '../../text/inline.ts';
import { readChecklist } from '../../text/read.ts';
import { Inline } from '../checklist/inline/inline.tsx';

/** What a row said, shown as the list would show it. `linked`: inside a button, where no link may stand. */
export function HistoryRowText({ text, linked = false }: { text: string; linked?: boolean }) {
  const segments = useMemo(() => inlineOf(readChecklist(`- ${text}`), 0), [text]);
  return text === '' ? (
    <span className="history-none">an empty row</span>
  ) : (
    <Inline segments={segments} linked={linked} />
  );
}
