import { useState } from 'react';
import type { Scope } from '../../model/templates/template-labels.ts';
import type { Draft } from './use-draft.ts';
import { type NameInput, useName } from './use-name.ts';

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
