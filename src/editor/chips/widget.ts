import { type EditorView, WidgetType } from '@codemirror/view';
import type { ChipContent } from './content.ts';

function piece(className: string, words: string): HTMLElement {
  const dom = document.createElement('span');
  dom.className = className;
  dom.textContent = words;
  return dom;
}

function picture(className: string, address: string, words = ''): HTMLElement {
  const dom = document.createElement('img');
  dom.className = className;
  dom.alt = words;
  dom.title = words;
  dom.src = address;
  // Without its picture, a chip shows the text only.
  dom.addEventListener('error', () => dom.remove());
  return dom;
}

/** Whether a chip is the selection, a part of it, or outside. */
export type Selected = 'alone' | 'covered' | 'no';

/** The widget of a chip. Its text is visible to screen readers; nothing is conveyed by colour alone. */
export class ChipWidget extends WidgetType {
  readonly face: ChipContent;
  /** The text behind the chip, shown on hover. */
  readonly text: string;
  private readonly selected: Selected;
  private readonly key: string;

  constructor(face: ChipContent, text: string, selected: Selected = 'no') {
    super();
    this.face = face;
    this.text = text;
    this.selected = selected;
    this.key = JSON.stringify([face, text]);
  }

  override eq(other: ChipWidget): boolean {
    return other.key === this.key && other.selected === this.selected;
  }

  /** Keeps the element, and its picture, when only the selection changed. */
  override updateDOM(dom: HTMLElement, _view: EditorView, from: this): boolean {
    if (from.key !== this.key) return false;
    dom.className = this.className;
    return true;
  }

  private get className(): string {
    return `cm-chip cm-chip-${this.face.kind}${this.selected === 'no' ? '' : ` cm-chip-selected-${this.selected}`}`;
  }

  override toDOM(): HTMLElement {
    const { kind, picture: address, words, note, priority, lozenge } = this.face;
    const dom = document.createElement('span');
    dom.className = this.className;
    // For a person, hovering shows the name, since an account id says nothing to a reader.
    const text = kind === 'person' ? words : this.text;
    dom.title = note === undefined ? text : `${text} ${note}`;
    const parts = [
      ...(words === '' ? [] : [piece('cm-chip-words', words)]),
      ...(note === undefined ? [] : [piece('cm-chip-note', note)]),
      ...(priority === undefined ? [] : [picture('cm-chip-priority', priority.picture, priority.words)]),
      ...(lozenge === undefined ? [] : [piece(`cm-chip-lozenge cm-check-status-${lozenge.color}`, lozenge.words)]),
    ];
    if (address !== undefined) dom.append(picture('cm-chip-picture', address));
    // Blanks between the words of the parts, for screen readers.
    for (const part of parts) dom.append(...(dom.textContent && part.textContent ? [' '] : []), part);
    return dom;
  }

  /** Clicks on a chip are handled as clicks in the text. */
  override ignoreEvent(): boolean {
    return false;
  }
}
