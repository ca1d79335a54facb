import { Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import type { DraftSlot } from '../../../client/drafts.ts';
import { failureMessage, MutationRefused } from '../../../client/errors.ts';
import { fieldDrafts } from '../../../client/field-drafts.ts';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { edition } from '../../../domain/edition.ts';
import { fieldErrors, typingError, validateName } from '../../../domain/fields.ts';
import { templates as messages, whole } from '../../../domain/messages.ts';
import { readAs, readJson } from '../../../domain/shape.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { checklistEditor, type Menu, type RemoteChangeNote, setEditable, setStatuses } from '../../../editor/index.ts';
import { Select, TextInput } from '../../kit/form/form.tsx';
import { useDraftSlot } from '../../model/drafts/use-draft-slot.ts';
import { type Scope, scopeWords } from '../../model/templates/templates.ts';
import { useStatusRegistry } from '../../model/use-statuses.ts';
import { Upgrade } from '../../shell/navigation/links.tsx';
import { useServices, useTrack } from '../../shell/services/services.ts';
import { CommandMenu, Toolbar } from '../../text-editor/commands.tsx';
import type { InitialText } from '../../text-editor/saving/open-text.ts';
import { createProvider, mountCalendar, TextEditor } from '../../text-editor/text-editor.tsx';

const notation = ['# Section', '- First item', '- ! Mandatory item', '> A detail of the line above'].join('\n');

interface TemplateTextProps {
  /** The text's accessible name. */
  label: string;
  /** The initial text; another value creates another editor. */
  text: string;
  editable: boolean;
  onChange(text: string): void;
  onSave(): void;
  /** Called with the view, and with `undefined` when it is destroyed. Must be stable. */
  onView?: ((view: EditorView | undefined) => void) | undefined;
  /** Called after a remote change. */
  onRemoteChange?: ((note: RemoteChangeNote) => void) | undefined;
  /** Called after an edit of the text by the user. */
  onTyped?: (() => void) | undefined;
  /** The rows and the conflicts that the text opens with. */
  initial?: Pick<InitialText, 'rows' | 'stored' | 'conflicts'> | undefined;
}

/** A template open as text, in the checklist editor without its issue-specific parts. */
export function TemplateText({
  label,
  text,
  editable,
  initial,
  onChange,
  onSave,
  onView,
  ...props
}: TemplateTextProps) {
  const { onRemoteChange, onTyped } = props;
  const services = useServices();
  const track = useTrack();
  const [menu, showMenu] = useState<Menu | undefined>(undefined);
  const [view, setView] = useState<EditorView | undefined>(undefined);
  const typed = useRef(text);
  const latest = useRef({ onChange, onSave });
  useEffect(() => {
    latest.current = { onChange, onSave };
  });
  const [extensions] = useState(() => [
    checklistEditor({
      label,
      editable,
      provider: createProvider(services),
      calendar: mountCalendar,
      placeholder: notation,
      choose: showMenu,
      save: () => latest.current.onSave(),
      ...(onRemoteChange && { remoteChanged: onRemoteChange }),
      ...(initial && { rowIds: initial.rows, stored: initial.stored, conflicts: initial.conflicts }),
      done: act => {
        if (act === 'mandatory') track('Item made mandatory from template view');
      },
      capacity: { limit: PROPERTY_CAPACITY, sizeOf: () => encodedSize(typed.current) },
      itemLimit: edition.limits.itemsPerChecklist,
    }),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (!docChanged) return;
      if (!transactions.some(each => each.annotation(Transaction.remote))) onTyped?.();
      typed.current = state.doc.toString();
      latest.current.onChange(typed.current);
    }),
  ]);
  const statuses = useStatusRegistry();
  useEffect(() => view?.dispatch(setStatuses(statuses)), [view, statuses]);
  useEffect(() => view?.dispatch(setEditable(editable)), [view, editable]);
  const handleView = useCallback(
    (made: EditorView | undefined) => {
      setView(made);
      onView?.(made);
    },
    [onView],
  );
  return (
    <div className="template-text">
      {view && editable ? <Toolbar view={view} editable={editable} /> : null}
      <TextEditor text={text} extensions={extensions} onView={handleView} />
      {menu && view ? <CommandMenu menu={menu} view={view} onClose={() => showMenu(undefined)} /> : null}
    </div>
  );
}

const shape = v.object({
  /** The edited template's id; `null` for a new one. */
  id: v.nullable(v.string()),
  name: v.string(),
  text: v.string(),
  scope: v.picklist(['project', 'global']),
  /** The edited template's values before the edits; missing for a new one. */
  before: v.exactOptional(v.object({ name: v.string(), text: v.string() })),
});

/** An unsaved template. */
export type Draft = v.InferOutput<typeof shape>;

/** The slot has one form. */
const FORM_DRAFT = { field: 'template', base: '' };

const readDraft = (slot: DraftSlot): Draft | null =>
  readAs(shape, readJson(fieldDrafts(slot).find(FORM_DRAFT) ?? '')) ?? null;

interface Drafts {
  /** The draft of this window or a closed one; `undefined` until it is known. */
  draft: Draft | null | undefined;
  /** The browser could store what was typed, as far as known. */
  isKept: boolean;
  /** Stores the draft after each edit; `null` deletes it after saving or discarding. */
  keep(draft: Draft | null): void;
}

/**
 * The unsaved edits of a template, for when the page closes without a question: by the tracker, or by a reload. `name`
 * is that of their slot (`useDraftSlot`).
 */
export function useDraft(name: string): Drafts {
  const slot = useDraftSlot(name);
  const [draft, setDraft] = useState<Draft | null | undefined>(undefined);
  const [isKept, setKept] = useState(true);
  if (slot && draft === undefined) setDraft(readDraft(slot));
  const keep = useCallback(
    (typed: Draft | null) => {
      setDraft(typed);
      if (slot) setKept(fieldDrafts(slot).keep(FORM_DRAFT, typed === null ? undefined : JSON.stringify(typed)));
    },
    [slot],
  );
  return { draft, isKept, keep };
}

export interface NameInput {
  value: string;
  /** The error to show, if any. */
  error: string | undefined;
  change(value: string): void;
  /** Shows the error, if any. Returns whether the name is valid. */
  check(): boolean;
  /** Shows a server error about the name. */
  refused(error: unknown): void;
}

/** The reason why a template was not saved, unless the reason is its name or its text. */
export const failureOf = (error: unknown, words: string): string | undefined =>
  !error || (error instanceof MutationRefused && (error.field === 'name' || error.field === 'text'))
    ? undefined
    : failureMessage(error, words);

/** A template's name. Errors show while typing, a missing name on submit. */
export function useName(initial: string): NameInput {
  const [value, setValue] = useState(initial);
  const [checked, setChecked] = useState(false);
  /** The server's error, and the value that it is about. */
  const [refusal, setRefusal] = useState<{ value: string; message: string } | undefined>(undefined);
  const code = validateName(value);
  const invalid = code && (checked ? fieldErrors[code] : value === initial ? undefined : typingError(code));
  const error = invalid ?? (refusal?.value === value ? refusal.message : undefined);
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

/** The editable values of a template. */
interface Values {
  name: string;
  text: string;
  scope: Scope;
}

export interface TemplateForm {
  /** The form's initial values. */
  opening: Values;
  name: NameInput;
  text: string;
  scope: Scope;
  change(next: Partial<Values>): void;
}

/**
 * The state of a template form, stored as a draft after each edit. `edited` is the edited template's id and values before
 * the edits.
 */
export function useTemplateForm(
  open: () => Values,
  keep: (draft: Draft) => void,
  edited: Pick<Draft, 'id' | 'before'> = { id: null },
): TemplateForm {
  const [opening] = useState(open);
  const name = useName(opening.name);
  const [text, setText] = useState(opening.text);
  const [scope, setScope] = useState(opening.scope);
  const change = (next: Partial<Values>) => {
    if (next.name !== undefined) name.change(next.name);
    if (next.text !== undefined) setText(next.text);
    if (next.scope !== undefined) setScope(next.scope);
    keep({ ...edited, name: name.value, text, scope, ...next });
  };
  return { opening, name, text, scope, change };
}

interface TemplateFieldsProps {
  form: TemplateForm;
  /** The name field. */
  ref: Ref<HTMLInputElement>;
  /** Selectable scopes; none if the scope is fixed. */
  scopes: readonly Scope[];
  /** Why the scope has no capacity for another template. */
  full: string | undefined;
  /** No scope has capacity. */
  closed?: boolean;
  /** Whether the text is editable. */
  editable?: boolean;
  /** The text's validation error. */
  textError: string | undefined;
  /** Whether the browser could store what was typed. */
  isKept: boolean;
  hint?: ReactNode;
  onSave(): void;
}

/** The fields of a template: name, scope and text. */
export function TemplateFields({
  form,
  ref,
  scopes,
  full,
  closed,
  editable = true,
  textError,
  isKept,
  hint,
  onSave,
}: TemplateFieldsProps) {
  const { opening, name, scope, change } = form;
  return (
    <>
      {full === undefined ? null : (
        <p className="templates-full" role="status">
          {full} <Upgrade />
        </p>
      )}
      <TextInput
        ref={ref}
        label="Name"
        value={name.value}
        error={name.error}
        autoFocus
        disabled={closed ?? false}
        onChange={value => change({ name: value })}
      />
      {scopes.length > 0 ? (
        <Select<Scope>
          label="Who can use it"
          value={scope}
          options={scopes.map(value => ({ value, words: scopeWords[value] }))}
          hint={scope === 'global' ? messages.readBySite : undefined}
          onChange={value => change({ scope: value })}
        />
      ) : null}
      <div className="form-field template-field">
        <span className="form-label">Text</span>
        <TemplateText
          label="Template text"
          text={opening.text}
          editable={editable}
          onChange={value => change({ text: value })}
          onSave={onSave}
        />
        <span className="form-error" role="alert">
          {textError}
        </span>
        {hint ? <span className="form-hint">{hint}</span> : null}
        <span className="form-hint" role="status">
          {isKept ? '' : whole.draftNotKept}
        </span>
      </div>
    </>
  );
}
