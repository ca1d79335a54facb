import { useCallback, useEffect, useState } from 'react';
import * as v from 'valibot';
import { type Choice, openChoice } from '../../../client/choices.ts';
import { MutationRefused } from '../../../client/errors.ts';
import { fieldErrors, validateName } from '../../../domain/fields.ts';
import type { Scope } from '../../model/templates/template-labels.ts';
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

export interface NameInput {
  value: string;
  /** What is wrong with it, as far as that is to be said now. */
  error: string | undefined;
  change(value: string): void;
  /** Says what is wrong with it, if something is; answers whether it can be sent. */
  check(): boolean;
  /** Takes a refusal that is about the name. */
  refused(error: unknown): void;
}

/** A name that somebody types: what is wrong with it is said as they type, that it is missing when they send it. */
export function useName(initial: string): NameInput {
  const [value, setValue] = useState(initial);
  const [checked, setChecked] = useState(false);
  /** What the server said, of which value. */
  const [refusal, setRefusal] = useState<{ value: string; message: string } | undefined>(undefined);
  const code = validateName(value);
  const told = code !== undefined && (checked || value !== initial);
  const error = told ? fieldErrors[code] : refusal?.value === value ? refusal.message : undefined;
  return {
    value,
    error,
    change: setValue,
    check: () => {
      setChecked(true);
      return code === undefined;
    },
    refused: reason => {
      if (reason instanceof MutationRefused && reason.field === 'name') setRefusal({ value, message: reason.message });
    },
  };
}

/** What somebody writes of a template. */
interface Values {
  name: string;
  text: string;
  scope: Scope;
}

export interface TemplateForm {
  /** What the form opened with. */
  opening: Values;
  name: NameInput;
  text: string;
  scope: Scope;
  change(next: Partial<Values>): void;
}

/** A template as it is written, kept at each change. `id` is of the one that is changed, `null` for a new one. */
export function useTemplateForm(open: () => Values, id: string | null, keep: (draft: Draft) => void): TemplateForm {
  const [opening] = useState(open);
  const name = useName(opening.name);
  const [text, setText] = useState(opening.text);
  const [scope, setScope] = useState(opening.scope);
  const change = (next: Partial<Values>) => {
    if (next.name !== undefined) name.change(next.name);
    if (next.text !== undefined) setText(next.text);
    if (next.scope !== undefined) setScope(next.scope);
    keep({ id, name: name.value, text, scope, ...next });
  };
  return { opening, name, text, scope, change };
}
