/*
 * The styles that Testing Library reads for each query by role: whether an element is visible. jsdom would match all
 * rules of its own style sheet, the kit's and the editor's again after each change of the document, a third of a test's
 * time. Tests add no style sheets, so the element's name and attributes decide; other properties come from jsdom.
 */

const view = document.defaultView ?? window;
const ask = view.getComputedStyle.bind(view);

const insert = document.head.insertBefore.bind(document.head);
document.head.insertBefore = <T extends Node>(node: T, before: Node | null) =>
  node instanceof HTMLStyleElement ? node : insert(node, before);

/** Display by element name, as in jsdom's style sheet; a dialog's when it is open. */
const displays = new Map([['dialog', 'block']]);

function usualDisplay(name: string): string {
  const known = displays.get(name) ?? ask(document.createElement(name)).display;
  displays.set(name, known);
  return known;
}

function display(element: HTMLElement): string {
  if (element.style?.display) return element.style.display;
  const closed = element.localName === 'dialog' && !element.hasAttribute('open');
  const hidden =
    element.hasAttribute('hidden') || (element.localName === 'input' && element.getAttribute('type') === 'hidden');
  return closed || hidden ? 'none' : usualDisplay(element.localName);
}

function inherited(element: HTMLElement | null, property: 'visibility' | 'pointerEvents', usual: string): string {
  for (let at = element; at; at = at.parentElement) if (at.style?.[property]) return at.style[property];
  return usual;
}

const known: Record<string, (element: HTMLElement) => string> = {
  display,
  visibility: element => inherited(element, 'visibility', 'visible'),
  pointerEvents: element => inherited(element, 'pointerEvents', 'auto'),
};

view.getComputedStyle = window.getComputedStyle = (element, pseudo) => {
  const get = (name: string) => (pseudo ? undefined : known[name]?.(element as HTMLElement));
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name: string) => {
      const short = get(name);
      if (short !== undefined) return short;
      if (name === 'getPropertyValue') {
        return (property: string) => get(property) ?? ask(element, pseudo).getPropertyValue(property);
      }
      return Reflect.get(ask(element, pseudo), name);
    },
  });
};
