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

/** Values by element and property, as in jsdom's style sheet; a dialog's display when it is open. */
const usualValues = new Map([['dialog display', 'block']]);

function usual(element: string, property: string): string {
  const key = `${element} ${property}`;
  const value = usualValues.get(key) ?? String(Reflect.get(ask(document.createElement(element)), property));
  usualValues.set(key, value);
  return value;
}

/** A property that no element takes from another one, and of which attributes say nothing. */
const own = (property: string) => (element: HTMLElement) =>
  String((element.style && Reflect.get(element.style, property)) || usual(element.localName, property));

function display(element: HTMLElement): string {
  if (element.style?.display) return element.style.display;
  const closed = element.localName === 'dialog' && !element.hasAttribute('open');
  const hidden =
    element.hasAttribute('hidden') || (element.localName === 'input' && element.getAttribute('type') === 'hidden');
  return closed || hidden ? 'none' : usual(element.localName, 'display');
}

function inherited(element: HTMLElement | null, property: 'visibility' | 'pointerEvents', initial: string): string {
  for (let at = element; at; at = at.parentElement) if (at.style?.[property]) return at.style[property];
  return initial;
}

/** Floating elements ask for these, of all elements above them. */
const ownProperties = [
  'overflow',
  'overflowX',
  'overflowY',
  'position',
  'transform',
  'perspective',
  'contain',
  'willChange',
];

const known: Record<string, (element: HTMLElement) => string> = {
  ...Object.fromEntries(ownProperties.map(property => [property, own(property)])),
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
