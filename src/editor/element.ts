/** Creates an element with a class and, optionally, a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** A button that submits nothing. */
export function button(className: string, label: string, run: () => void): HTMLButtonElement {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', run);
  return made;
}
