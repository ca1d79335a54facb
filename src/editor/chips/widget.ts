import { WidgetType } from '@codemirror/view';
import type { ChipContent } from './content.ts';

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
  // Without its picture, a chip shows the text only.
  dom.addEventListener('error', () => dom.remove());
  return dom;
}

/** The widget of a chip. Its text is visible to screen readers; nothing is conveyed by colour alone. */
export class ChipWidget extends WidgetType {
  readonly face: ChipContent;
  /** The text that it stands for, for those who point at it. */
  readonly text: string;
  private readonly key: string;

  constructor(face: ChipContent, text: string) {
    super();
    this.face = face;
    this.text = text;
    this.key = JSON.stringify([face, text]);
  }

  override eq(other: ChipWidget): boolean {
    return other.key === this.key;
  }

  override toDOM(): HTMLElement {
    const { kind: look, picture: address, words, note, lozenge } = this.face;
    const dom = document.createElement('span');
    dom.className = `cm-chip cm-chip-${look}`;
    dom.title = note === undefined ? this.text : `${this.text} ${note}`;
    const parts = [
      ...(words === '' ? [] : [piece('cm-chip-words', words)]),
      ...(note === undefined ? [] : [piece('cm-chip-note', note)]),
      ...(lozenge === undefined ? [] : [piece(`cm-chip-lozenge cm-check-status-${lozenge.color}`, lozenge.words)]),
    ];
    if (address !== undefined) dom.append(picture(address));
    // Blanks between the parts, for screen readers.
    for (const part of parts) dom.append(...(dom.textContent ? [' '] : []), part);
    return dom;
  }

  /** Clicks on a chip are handled as clicks in the text. */
  override ignoreEvent(): boolean {
    return false;
  }
}
