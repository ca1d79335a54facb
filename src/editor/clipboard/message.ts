import { type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView, type Panel, showPanel } from '@codemirror/view';
import { paste as messages } from '../../domain/messages.ts';
import { type EditorCommand, editorCommands } from '../commands/command.ts';
import { button, element } from '../element.ts';

/** The inline message after a paste or drop. */
export interface PasteMessage {
  title: string;
  lines: readonly string[];
  /** Inserts the plain text instead; only until the next change. */
  plain?: (view: EditorView) => void;
  /** Other notations, with what reads the pasted text in each; only until the next change. */
  readAs?: readonly ReadAs[];
}

/** A notation's name, and what replaces the pasted text by its reading in that notation. */
export interface ReadAs {
  title: string;
  run: (view: EditorView) => void;
}

/** A message disappears after this many changes of the text. */
const MAX_VISIBLE_CHANGES = 12;
/** Shows a notice, or takes it away. */
export const setPasteMessage = StateEffect.define<PasteMessage | undefined>();

interface Shown {
  notice: PasteMessage;
  changes: number;
}

/** The message after a transaction: the first change removes its action, some more the message. */
function next(shown: Shown | undefined, transaction: Transaction): Shown | undefined {
  for (const effect of transaction.effects) {
    if (effect.is(setPasteMessage)) return effect.value && { notice: effect.value, changes: 0 };
  }
  const isOwnChange = transaction.docChanged && !transaction.annotation(Transaction.remote);
  if (!shown || !isOwnChange) return shown;
  const changes = shown.changes + 1;
  if (changes >= MAX_VISIBLE_CHANGES || transaction.isUserEvent('undo')) return undefined;
  const { plain: _, readAs: __, ...notice } = shown.notice;
  return { notice, changes };
}

const field = StateField.define<Shown | undefined>({
  create: () => undefined,
  update: next,
  provide: it => showPanel.from(it, shown => (shown ? panelOf : null)),
});

function panelOf(view: EditorView): Panel {
  const dom = element('div', 'cm-paste-notice');
  // In the page before its text, so that screen readers announce it.
  const words = element('div', 'cm-paste-words');
  words.setAttribute('role', 'status');
  const plain = button('cm-paste-button', messages.asPlain, () => view.state.field(field)?.notice.plain?.(view));
  const dismiss = button('cm-paste-button', messages.dismiss, () => {
    view.dispatch({ effects: setPasteMessage.of(undefined) });
    view.focus();
  });
  const otherReadings = element('div', 'cm-paste-others');
  otherReadings.setAttribute('role', 'group');
  otherReadings.setAttribute('aria-label', messages.readAs);
  dom.append(words, otherReadings, plain, dismiss);
  let announcedText: string | undefined;
  let offered: readonly ReadAs[] | undefined;
  const say = () => {
    const notice = view.state.field(field)?.notice;
    if (!notice) return;
    plain.hidden = notice.plain === undefined;
    if (notice.readAs !== offered) {
      offered = notice.readAs;
      otherReadings.replaceChildren(
        ...(offered?.length ? [element('span', 'cm-paste-label', messages.readAs)] : []),
        ...(offered ?? []).map(({ title, run }) => button('cm-paste-button', title, () => run(view))),
      );
    }
    otherReadings.hidden = !offered?.length;
    const noticeText = [notice.title, ...notice.lines].join('\n');
    if (noticeText === announcedText) return;
    announcedText = noticeText;
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
    gap: '4px 20px',
    padding: '6px 24px',
    maxHeight: '30vh',
    overflow: 'auto',
    fontSize: '12px',
    lineHeight: '16px',
    backgroundColor: 'var(--ds-surface-sunken, #F8F8F8)',
  },
  '.cm-paste-words': { flex: '1 1 240px', color: 'var(--ds-text-subtle, #505258)', overflowWrap: 'anywhere' },
  // The words of a button align with the words above it.
  '.cm-paste-notice > .cm-paste-button': { margin: '0 -8px' },
  '.cm-paste-others': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 4px' },
  '.cm-paste-others[hidden]': { display: 'none' },
  '.cm-paste-label': { color: 'var(--ds-text-subtle, #505258)' },
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
    '&:hover': {
      background: 'var(--ds-background-neutral-subtle-hovered, #0515240F)',
      color: 'var(--ds-link-pressed, #1558BC)',
    },
    '&:focus-visible': { outline: '2px solid var(--ds-border-focused, #4688EC)', outlineOffset: '-2px' },
  },
});

/** Closes the message; the event does not reach the dialog around the editor. */
const close: EditorCommand = {
  id: 'closePasteNotice',
  title: 'Close paste message',
  keys: [{ key: 'Escape' }],
  edits: false,
  enabled: state => state.field(field) !== undefined,
  run: view => {
    view.dispatch({ effects: setPasteMessage.of(undefined) });
    return true;
  },
};

/** Inline message below the text with what a paste lost; closes after some more input. */
export const pasteMessage: Extension = [field, editorCommands.of([close]), look];
