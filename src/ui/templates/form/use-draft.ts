import { useCallback, useEffect, useState } from 'react';
import * as v from 'valibot';
import { type Choice, openChoice } from '../../../client/choices.ts';
import { useBridge } from '../../shell/services/services.ts';

const shape = v.nullable(
  v.object({
    /** Of the template that is changed; `null` where a new one is written. */
    id: v.nullable(v.string()),
    name: v.string(),
    text: v.string(),
    scope: v.picklist(['project', 'global']),
  }),
);

/** A template as somebody left it, unsaved. */
export type Draft = NonNullable<v.InferOutput<typeof shape>>;

export interface Drafts {
  /** What was left unsaved in this browser; `undefined` until that is known. */
  draft: Draft | null | undefined;
  /** Keeps what was typed, at each change; `null` when it is saved or given up. */
  keep(draft: Draft | null): void;
}

/** What somebody typed of a template and did not save: a dialog closes with Escape, and nothing typed goes with it. `name` tells one place from another. */
export function useDraft(name: string): Drafts {
  const bridge = useBridge();
  const [choice, setChoice] = useState<Choice<Draft | null> | undefined>(undefined);
  const [draft, setDraft] = useState<Draft | null | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    bridge.owner().then(
      owner => {
        if (!wanted) return;
        const opened = openChoice(owner, name, shape);
        setChoice(opened);
        setDraft(opened.read() ?? null);
      },
      () => wanted && setDraft(null),
    );
    return () => {
      wanted = false;
    };
  }, [bridge, name]);
  const keep = useCallback(
    (typed: Draft | null) => {
      choice?.keep(typed);
      setDraft(typed);
    },
    [choice],
  );
  return { draft, keep };
}
