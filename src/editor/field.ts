import { closeCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { type Command, drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import type { StatusRegistry } from '../text/status-registry.ts';
import { checklistField, statusesOf } from './checklist.ts';
import { chips } from './chips.ts';
import { dayOffers } from './complete/day-offer.ts';
import { completions, type MountCalendar } from './complete.ts';
import { undoHistory } from './history.ts';
import { input } from './input.ts';
import { checklistLanguage, highlight } from './language.ts';
import { type Provider, provider } from './provider.ts';

export interface FieldConfig {
  /** Accessible name. */
  label: string;
  /** Enter breaks the line, and Mod-Enter saves; otherwise there is one line, and Enter saves. */
  lines: boolean;
  /** Enter saves also in a field of several lines; Shift-Enter then breaks the line. */
  enterSaves?: boolean;
  /** The placeholders of an empty field: without the focus, and with the focus. */
  placeholders?: { idle: string; focused: string };
  statuses: StatusRegistry | undefined;
  provider: Provider;
  calendar: MountCalendar;
  /** Whether a day in words is offered as the due date; without it none is. */
  offersDays?(): boolean;
  save(): void;
  cancel(): void;
  /** Called with each changed text. */
  changed(text: string): void;
}

/** Line breaks that come in become blanks. */
const oneLine = EditorState.transactionFilter.of(transaction => {
  const { docChanged, newDoc } = transaction;
  if (!docChanged || newDoc.lines === 1) return transaction;
  const breaks = [...newDoc.toString().matchAll(/[ \t\xa0]*\n\s*/g)];
  const changes = breaks.map(({ 0: found, index }) => ({ from: index, to: index + found.length, insert: ' ' }));
  return [transaction, { changes, sequential: true }];
});

/** Leaves a key to an input method while that composes. */
const unlessComposing =
  (run: (view: EditorView) => void): Command =>
  view => {
    if (!view.composing) run(view);
    return !view.composing;
  };

const look: Extension = EditorView.theme({
  '&': { color: 'inherit', backgroundColor: 'transparent', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-hint-idle, &:not(.cm-focused) .cm-hint-focused': { display: 'none' },
  '.cm-hint-focused': { whiteSpace: 'pre' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '20px' },
  '.cm-content': { padding: '0', caretColor: 'var(--ds-text, #292A2E)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--ds-text, #292A2E)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--ds-background-accent-blue-subtler, #CFE1FD)',
  },
});

/** Both texts of an empty field; the focus shows one of them. */
function hintOf({ idle, focused }: { idle: string; focused: string }): HTMLElement {
  const hint = document.createElement('span');
  for (const [name, words] of Object.entries({ idle, focused })) {
    const text = hint.appendChild(document.createElement('span'));
    text.className = `cm-hint-${name}`;
    text.textContent = words;
  }
  return hint;
}

/** A small editor of a row's words, or of its details, with the completions and chips of the large one. */
export function fieldEditor({
  label,
  lines,
  enterSaves = !lines,
  save,
  cancel,
  changed,
  ...config
}: FieldConfig): Extension {
  // A pending list belongs to what was typed, not to what follows.
  const finish = unlessComposing(view => {
    closeCompletion(view);
    save();
  });
  const saves = { run: finish, preventDefault: true };
  return [
    completions({ calendar: config.calendar }),
    config.offersDays ? dayOffers(config.offersDays) : [],
    // Below what a list of completions does with the same keys, and above what an editor does with them.
    Prec.high(
      keymap.of([
        { key: 'Mod-Enter', ...saves },
        ...(enterSaves ? [{ key: 'Enter', ...saves }] : []),
        { key: 'Escape', run: unlessComposing(cancel), stopPropagation: true },
      ]),
    ),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    undoHistory,
    lines ? [] : oneLine,
    checklistLanguage,
    statusesOf(config.statuses),
    provider.of(config.provider),
    checklistField,
    highlight,
    chips,
    input(label),
    config.placeholders ? placeholder(hintOf(config.placeholders)) : [],
    drawSelection(),
    EditorView.lineWrapping,
    EditorView.updateListener.of(update => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
    look,
  ];
}
