import type { Completion } from '@codemirror/autocomplete';
import { isChoice, type Picture } from './option.ts';

/** A decorative element: the option's name says the same. */
function decoration(className: string, text = ''): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  element.ariaHidden = 'true';
  return element;
}

/** The first letters of a name's first and last word. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [...new Set([words[0], words.at(-1)])].map(word => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

/** A picture from another site, and `otherwise` if there is none. */
function image(className: string, address: string, otherwise: () => HTMLElement): HTMLElement {
  if (!/^(https?:|data:image\/|\/)/i.test(address)) return otherwise();
  const element = document.createElement('img');
  element.className = className;
  element.alt = '';
  element.src = address;
  element.addEventListener('error', () => element.replaceWith(otherwise()));
  return element;
}

function drawn(picture: Picture): HTMLElement {
  switch (picture.kind) {
    case 'avatar':
      return image('cm-complete-avatar', picture.address, () =>
        decoration('cm-complete-avatar cm-complete-initials', initials(picture.name)),
      );
    case 'icon':
      return image('cm-complete-icon', picture.address, () => decoration('cm-complete-icon'));
    case 'glyph':
      return decoration('cm-complete-glyph', picture.text);
    case 'sign':
      return decoration('cm-complete-sign', picture.text);
    case 'dot':
      return decoration(`cm-complete-dot cm-complete-dot-${picture.color}`);
  }
}

/** The parts that our options show beside their names. */
export const optionParts = [
  {
    position: 20,
    render: (completion: Completion) => (isChoice(completion) ? drawn(completion.picture) : null),
  },
  {
    position: 90,
    render: (completion: Completion) => {
      if (!isChoice(completion) || !completion.lozenge) return null;
      const { text, look } = completion.lozenge;
      const element = document.createElement('span');
      element.className = `cm-complete-lozenge cm-complete-lozenge-${look}`;
      element.textContent = text;
      return element;
    },
  },
];
