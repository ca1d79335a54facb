import { type EditorView, type PluginValue, ViewPlugin } from '@codemirror/view';
import { MAX_TEXT_CHARS, OWN_MARK } from '../../text/convert/clip.ts';
import { exportHtml, lineHtml } from '../../text/export/html.ts';
import { readChecklist } from '../../text/read.ts';
import { statuses } from '../checklist.ts';
import { provider } from '../provider.ts';

/** Copied text as HTML with the app's mark. A part of a line stays one. */
function copiedHtml(view: EditorView, text: string): string {
  const { state } = view;
  const { person } = state.facet(provider);
  const options = { nameOf: (accountId: string) => person(accountId)?.name };
  const checklist = readChecklist(text, state.facet(statuses));
  const [row] = checklist.rows;
  const bare = row?.kind === 'checkbox' && row.content.from === 0 && row.content.to === text.length;
  const html = bare && !text.includes('\n') ? lineHtml(checklist, options) : exportHtml(checklist, options);
  return `<meta charset="utf-8"><div ${OWN_MARK}="">${html}</div>`;
}

/**
 * Puts HTML beside the text that CodeMirror copies, cuts or drags. It listens around the text, so that CodeMirror has
 * said by then what is copied.
 */
class Copying implements PluginValue {
  private readonly view: EditorView;

  constructor(view: EditorView) {
    this.view = view;
    for (const type of ['copy', 'cut', 'dragstart'] as const) view.dom.addEventListener(type, this.add);
  }

  destroy() {
    for (const type of ['copy', 'cut', 'dragstart'] as const) this.view.dom.removeEventListener(type, this.add);
  }

  private readonly add = (event: Event) => {
    const data = 'clipboardData' in event ? (event as ClipboardEvent).clipboardData : (event as DragEvent).dataTransfer;
    // Drags always get HTML; a copy gets HTML only if CodeMirror made it.
    if (!data || (event.type !== 'dragstart' && !event.defaultPrevented)) return;
    if (!(event.target instanceof Node) || !this.view.contentDOM.contains(event.target)) return;
    const text = data.getData('text/plain');
    if (text !== '' && text.length <= MAX_TEXT_CHARS) data.setData('text/html', copiedHtml(this.view, text));
  };
}

export const copying = ViewPlugin.fromClass(Copying);
