import { EditorSelection, type Extension } from '@codemirror/state';
import { EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { paste as messages } from '../domain/messages.ts';
import { type Clip, isOwnCopy, isSmall, readClip, readClipInSlices } from '../text/convert/clip.ts';
import { cleaningLosses, lossLines } from '../text/convert/report.ts';
import { cleanText } from '../text/document.ts';
import { progressOf } from '../text/progress.ts';
import { readChecklist } from '../text/read.ts';
import { copying } from './clipboard/copy.ts';
import { readFiles } from './clipboard/files.ts';
import {
  type Entrance,
  entering,
  insertClip,
  insertPlain,
  insertReading,
  showPasteMessage,
} from './clipboard/insert.ts';
import { insertLines, insertWords } from './clipboard/insertion.ts';
import { pasteMessage, setPasteMessage } from './clipboard/message.ts';
import { pastedPeople } from './clipboard/people.ts';
import { type EditorCommand, editorCommands, type Key } from './commands/command.ts';
import { keyText } from './commands/keys.ts';
import { compositionEnd } from './composition.ts';

/** The clip of an event's data. Whatever stands for line ends there, LF does here. */
function clipOf(data: DataTransfer): Clip {
  const { text, notes } = cleanText(data.getData('text/plain') || data.getData('text/uri-list'));
  return { html: data.getData('text/html'), text, cleaned: cleaningLosses(notes) };
}

/** State across events: files and large clips being read, and whether the next paste is plain. */
class Entering implements PluginValue {
  /** The shortcut of a plain paste is down: the paste event does not say so. */
  asText = false;
  private readonly view: EditorView;
  /** The ranges that pending files and clips will replace, mapped through later changes. */
  private places: { from: number; to: number }[] = [];

  constructor(view: EditorView) {
    this.view = view;
  }

  update({ changes }: ViewUpdate) {
    for (const place of this.places) {
      place.from = changes.mapPos(place.from, 1);
      place.to = Math.max(place.from, changes.mapPos(place.to, -1));
    }
  }

  /**
   * Waits for a reading. If its range is still there, selects the range and resolves with the value; otherwise with
   * undefined.
   */
  private async waitFor<T>(read: Promise<T>, from: number, to: number): Promise<{ value: T } | undefined> {
    const { view } = this;
    const place = { from, to };
    this.places.push(place);
    const value = await read;
    await compositionEnd(view);
    if (!this.places.includes(place)) return undefined;
    this.places = this.places.filter(other => other !== place);
    if (!view.state.readOnly) view.dispatch({ selection: EditorSelection.range(place.from, place.to) });
    return { value };
  }

  /** Inserts a large clip in place of the selection, once it is read. */
  async insertLater(clip: Clip, userEvent: Entrance): Promise<void> {
    const { view } = this;
    const { from, to } = view.state.selection.main;
    showPasteMessage(view, { title: messages.reading, lines: [] });
    const reading = await this.waitFor(readClipInSlices(clip), from, to);
    if (!reading || view.state.readOnly) return;
    showPasteMessage(view, undefined);
    if (!insertReading(view, clip, reading.value, userEvent)) insertPlain(view, clip.text, userEvent);
    view.focus();
  }

  async add(files: readonly File[], at: number, userEvent: Entrance): Promise<void> {
    const reading = await this.waitFor(readFiles(files), at, at);
    if (!reading) return;
    const { view } = this;
    const { text, lost, notes } = reading.value;
    const lines = [...notes, ...lossLines(lost)];
    if (text === '') {
      showPasteMessage(view, { title: lines[0] ?? '', lines: lines.slice(1) });
      return;
    }
    if (view.state.readOnly) return;
    view.dispatch(entering(insertLines(view.state, text), userEvent), {
      effects: setPasteMessage.of({ title: messages.pasted(progressOf(readChecklist(text).rows).total), lines }),
    });
    view.focus();
  }

  /** Inserts a clip now or later. Returns `false` if the editor's default insertion applies. */
  insert(clip: Clip, asText: boolean, userEvent: Entrance): boolean {
    const inserted = insertClip(this.view, clip, asText, userEvent);
    if (inserted === 'later') void this.insertLater(clip, userEvent);
    return inserted !== false;
  }

  destroy() {
    this.places = [];
  }
}

const plugin = ViewPlugin.fromClass(Entering, {
  eventObservers: {
    // Before the keys of commands, one of which sets it.
    keydown() {
      this.asText = false;
    },
    keyup() {
      this.asText = false;
    },
  },
  eventHandlers: {
    paste(event, view) {
      const data = event.clipboardData;
      if (!data || view.state.readOnly) return false;
      const clip = clipOf(data);
      if (clip.text === '' && clip.html === '' && data.files.length > 0) {
        void this.add([...data.files], view.state.selection.main.head, 'input.paste');
        return true;
      }
      return this.insert(clip, this.asText, 'input.paste');
    },
    drop(event, view) {
      const data = event.dataTransfer;
      if (!data || view.state.readOnly) return false;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
      if (data.files.length > 0) {
        void this.add([...data.files], at, 'input.drop');
        return true;
      }
      const clip = clipOf(data);
      // CodeMirror moves our own text, and inserts plain text.
      if (isOwnCopy(clip) || (isSmall(clip) && readClip(clip).kind === 'plain')) return false;
      view.dispatch({ selection: EditorSelection.cursor(at) });
      if (!this.insert(clip, false, 'input.drop'))
        view.dispatch(entering(insertWords(view.state, clip.text), 'input.drop'));
      view.focus();
      return true;
    },
  },
});

/** Pastes the clipboard's text as far as the browser permits reading it. */
async function pasteText(view: EditorView): Promise<void> {
  let text: string;
  try {
    text = cleanText(await navigator.clipboard.readText()).text;
  } catch {
    showPasteMessage(view, { title: messages.byKey(keyText(plainKey)), lines: [] });
    return;
  }
  if (view.state.readOnly || view.composing) return;
  if (!insertClip(view, { html: '', text }, true, 'input.paste')) insertPlain(view, text, 'input.paste');
}

const plainKey: Key = {
  key: 'Mod-Shift-v',
  prepare: view => {
    const entering = view.plugin(plugin);
    if (entering) entering.asText = true;
  },
};

const pastePlain: EditorCommand = {
  id: 'pastePlain',
  title: messages.asPlain,
  keys: [plainKey],
  edits: true,
  run: view => {
    void pasteText(view);
    return true;
  },
};

/** A file dropped beside the text would replace the page and lose unsaved text. */
const missedFiles = ViewPlugin.define(view => {
  const page = view.dom.ownerDocument;
  const stay = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  page.addEventListener('dragover', stay);
  page.addEventListener('drop', stay);
  return {
    destroy() {
      page.removeEventListener('dragover', stay);
      page.removeEventListener('drop', stay);
    },
  };
});

/**
 * Converts lists of other programs to checklist text on paste and drop, and checklist text to HTML on copy. Needs the
 * checklist language, its field and the history.
 */
export const clipboard: Extension = [
  plugin,
  pastedPeople,
  editorCommands.of([pastePlain]),
  copying,
  missedFiles,
  pasteMessage,
  // Text inserted by the editor is cleaned like converted text.
  EditorView.clipboardInputFilter.of(text => cleanText(text).text),
];
