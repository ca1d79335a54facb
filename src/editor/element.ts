/** Creates an element with a class and, optionally, a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const newElement = document.createElement(name);
  newElement.className = className;
  newElement.textContent = text;
  return newElement;
}

/** A button that submits nothing. */
export function button(className: string, label: string, run: () => void): HTMLButtonElement {
  const newButton = element('button', className, label);
  newButton.type = 'button';
  newButton.addEventListener('click', run);
  return newButton;
}

/** A drawing of 16 by 16 pixels. */
export function icon(className: string, d: string): SVGElement {
  const dom = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  dom.setAttribute('viewBox', '0 0 16 16');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('class', className);
  path.setAttribute('d', d);
  dom.append(path);
  return dom;
}
