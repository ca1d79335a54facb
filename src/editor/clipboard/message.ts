import { type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView, type Panel, showPanel } from '@codemirror/view';
import { paste as messages } from '../../domain/messages.ts';
import type { Loss } from '../../text/convert.ts';
import { type EditorCommand, editorCommands } from '../commands/command.ts';
import { button, element } from '../element.ts';

/** What is said about the last thing that was pasted or dropped. */
export interface PasteNotice {
  title: string;
  lines: readonly string[];
  /** Puts the plain text there instead; only as long as nothing else was done since. */
  plain?: (view: EditorView) => void;
}

/** Changes of the text for which a notice stays, so that there is time to read it. */
const LINGER = 12;
/** Kinds of loss that are told one by one. */
const LINES_MOST = 4;

/** What was lost, each kind once. */
export function lossLines(lost: readonly Loss[]): string[] {
  const counts = new Map<string, number>();
  for (const { what } of lost) counts.set(what, (counts.get(what) ?? 0) + 1);
  const all = [...counts].map(([what, count]) => messages.times(what, count));
  return all.length > LINES_MOST ? [...all.slice(0, LINES_MOST), messages.more(all.length - LINES_MOST)] : all;
}

/** Shows a notice, or takes it away. */
export const setPasteNotice = StateEffect.define<PasteNotice | undefined>();

interface Shown {
  notice: PasteNotice;
  changes: number;
}

/** The notice after a transaction: with the first change its offer goes, after some more the notice itself. */
function next(shown: Shown | undefined, transaction: Transaction): Shown | undefined {
  for (const effect of transaction.effects) {
    if (effect.is(setPasteNotice)) return effect.value && { notice: effect.value, changes: 0 };
  }
  const own = transaction.docChanged && !transaction.annotation(Transaction.remote);
  if (!shown || !own) return shown;
  const changes = shown.changes + 1;
  if (changes >= LINGER || transaction.isUserEvent('undo')) return undefined;
  const { plain: _, ...notice } = shown.notice;
  return { notice, changes };
}

const field = StateField.define<Shown | undefined>({
  create: () => undefined,
  update: next,
  provide: it => showPanel.from(it, shown => (shown ? panelOf : null)),
});

function panelOf(view: EditorView): Panel {
  const dom = element('div', 'cm-paste-notice');
  // There before its words, so that they are read out.
  const words = element('div', 'cm-paste-words');
  words.setAttribute('role', 'status');
  const plain = button('cm-paste-button', messages.asPlain, () => view.state.field(field)?.notice.plain?.(view));
  const dismiss = button('cm-paste-button', messages.dismiss, () => {
    view.dispatch({ effects: setPasteNotice.of(undefined) });
    view.focus();
  });
  dom.append(words, plain, dismiss);
  let said: string | undefined;
  const say = () => {
    const notice = view.state.field(field)?.notice;
    if (!notice) return;
    plain.hidden = notice.plain === undefined;
    const all = [notice.title, ...notice.lines].join('\n');
    if (all === said) return;
    said = all;
    words.replaceChildren(
      element('span', 'cm-paste-title', notice.title),
      ...notice.lines.map(line => element('span', 'cm-paste-line', ` ${line}`)),
    );
  };
  return { dom, mount: say, update: say };
}

const look = EditorView.baseTheme({
  '.cm-panels': { backgroundColor: 'var(--ds-surface, #FFFFFF)', color: 'var(--ds-text, #292A2E)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--ds-border, #0B120E24)' },
  '.cm-paste-notice': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '4px 12px',
    padding: '6px 24px',
    maxHeight: '30vh',
    overflow: 'auto',
    fontSize: '12px',
    lineHeight: '16px',
    backgroundColor: 'var(--ds-surface-sunken, #F8F8F8)',
  },
  '.cm-paste-words': { flex: '1 1 240px', color: 'var(--ds-text-subtle, #505258)', overflowWrap: 'anywhere' },
  '.cm-paste-title': { fontWeight: '600', color: 'var(--ds-text, #292A2E)' },
  '.cm-paste-button': {
    minHeight: '24px',
    padding: '0 8px',
    border: '0',
    borderRadius: '3px',
    background: 'transparent',
    color: 'var(--ds-link, #1868DB)',
    font: 'inherit',
    cursor: 'pointer',
    '&:hover': { background: 'var(--ds-background-neutral-subtle-hovered, #0515240F)' },
    '&:focus-visible': { outline: '2px solid var(--ds-border-focused, #4688EC)', outlineOffset: '-2px' },
  },
});

/** Takes the notice away; the dialog around the editor does not hear of that Escape. */
const close: EditorCommand = {
  id: 'closePasteNotice',
  title: 'Close what is said of the paste',
  keys: [{ key: 'Escape' }],
  edits: false,
  enabled: state => state.field(field) !== undefined,
  run: view => {
    view.dispatch({ effects: setPasteNotice.of(undefined) });
    return true;
  },
};

/** What could not be kept of what was pasted, below the text: quiet, and gone after some more typing. */
export const pasteNotice: Extension = [field, editorCommands.of([close]), look];
