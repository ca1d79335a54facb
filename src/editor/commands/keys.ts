import type { EditorCommand, Key } from './command.ts';

const onMac = typeof navigator !== 'undefined' && /Mac|iP(hone|[oa]d)/.test(navigator.platform);

/** How a part of a key is written on the keyboards of each kind, and in `aria-keyshortcuts`. */
const names: Record<string, { mac?: string; other?: string; aria?: string }> = {
  Ctrl: { mac: '⌃', aria: 'Control' },
  Cmd: { mac: '⌘', aria: 'Meta' },
  Alt: { mac: '⌥' },
  Shift: { mac: '⇧' },
  Enter: { mac: '↩' },
  Escape: { other: 'Esc', mac: 'Esc' },
  ArrowUp: { mac: '↑', other: '↑' },
  ArrowDown: { mac: '↓', other: '↓' },
  ArrowLeft: { mac: '←', other: '←' },
  ArrowRight: { mac: '→', other: '→' },
  Tab: { mac: '⇥' },
};

/** The order in which modifiers are read. */
const order = ['Ctrl', 'Alt', 'Shift', 'Cmd'];

/** A key in the form of an object. */
export const keyFrom = (key: Key | string): Key => (typeof key === 'string' ? { key } : key);

function partsOf(given: Key | string, isMac: boolean): string[] {
  const { key, mac } = keyFrom(given);
  const parts = ((isMac ? mac : undefined) ?? key ?? '').split('-');
  const last = parts.pop() ?? '';
  const modifiers = parts.map(part => (part === 'Mod' ? (isMac ? 'Cmd' : 'Ctrl') : part));
  return [
    ...modifiers.sort((a, b) => order.indexOf(a) - order.indexOf(b)),
    last.length === 1 ? last.toUpperCase() : last,
  ];
}

/** A key as people read it: `Ctrl+Shift+P`, on a Mac `⇧⌘P`. */
export const keyText = (key: Key | string, isMac = onMac): string =>
  isMac
    ? partsOf(key, true)
        .map(part => names[part]?.mac ?? part)
        .join('')
    : partsOf(key, false)
        .map(part => names[part]?.other ?? part)
        .join('+');

/** The key for a command as `aria-keyshortcuts` has it: `Control+Shift+P`. */
export const keyShortcut = ({ keys }: Pick<EditorCommand, 'keys'>, isMac = onMac): string | undefined =>
  keys?.[0] &&
  partsOf(keys[0], isMac)
    .map(part => names[part]?.aria ?? part)
    .join('+');

/** A command's title and key, as the hint at its button: `Save (Ctrl+S)`. */
export const hintOf = ({ title, keys }: Pick<EditorCommand, 'title' | 'keys'>): string =>
  keys?.[0] ? `${title} (${keyText(keys[0])})` : title;

/** Every key for a command as people read it; two that read alike, once. */
export const keyTexts = ({ keys }: Pick<EditorCommand, 'keys'>, isMac = onMac): string[] => [
  ...new Set((keys ?? []).map(key => keyText(key, isMac))),
];
