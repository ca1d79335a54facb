import { WidgetType } from '@codemirror/view';
import type { Face } from './content.ts';

function piece(className: string, words: string): HTMLElement {
  const dom = document.createElement('span');
  dom.className = className;
  dom.textContent = words;
  return dom;
}

function picture(address: string): HTMLElement {
  const dom = document.createElement('img');
  dom.className = 'cm-chip-picture';
  dom.alt = '';
  dom.src = address;
  // A picture that does not come leaves its place to the words.
  dom.addEventListener('error', () => dom.remove());
  return dom;
}

/** A chip in the page. Its words are there to read and to hear; nothing is told by colour alone. */
export class ChipWidget extends WidgetType {
  readonly face: Face;
  /** The text that it stands for, for those who point at it. */
  readonly text: string;
  private readonly key: string;

  constructor(face: Face, text: string) {
    super();
    this.face = face;
    this.text = text;
    this.key = JSON.stringify([face, text]);
  }

  override eq(other: ChipWidget): boolean {
    return other.key === this.key;
  }

  override toDOM(): HTMLElement {
    const { look, picture: address, words, note, lozenge } = this.face;
    const dom = document.createElement('span');
    dom.className = `cm-chip cm-chip-${look}`;
    dom.title = note === undefined ? this.text : `${this.text} ${note}`;
    const parts = [
      ...(words === '' ? [] : [piece('cm-chip-words', words)]),
      ...(note === undefined ? [] : [piece('cm-chip-note', note)]),
      ...(lozenge === undefined ? [] : [piece(`cm-chip-lozenge cm-check-status-${lozenge.color}`, lozenge.words)]),
    ];
    if (address !== undefined) dom.append(picture(address));
    // The blanks between them are for those who hear the line.
    for (const part of parts) dom.append(...(dom.textContent ? [' '] : []), part);
    return dom;
  }

  /** A click on a chip is one in the text. */
  override ignoreEvent(): boolean {
    return false;
  }
}
