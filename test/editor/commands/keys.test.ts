import { expect, test } from 'vitest';
import { keyShortcut, keyText } from '../../../src/editor/commands/keys.ts';

test.each([
  [{ key: 'Mod-Shift-p' }, 'Ctrl+Shift+P', '⇧⌘P', 'Control+Shift+P'],
  [{ key: 'Shift-Alt-ArrowDown' }, 'Alt+Shift+↓', '⌥⇧↓', 'Alt+Shift+ArrowDown'],
  [{ key: 'Ctrl-Shift-[', mac: 'Cmd-Alt-[' }, 'Ctrl+Shift+[', '⌥⌘[', 'Control+Shift+['],
  [{ key: 'F1' }, 'F1', 'F1', 'F1'],
  [{ key: 'Escape' }, 'Esc', 'Esc', 'Escape'],
])('%j is read as %s, on a Mac as %s', (key, other, mac, aria) => {
  expect(keyText(key, false)).toBe(other);
  expect(keyText(key, true)).toBe(mac);
  expect(keyShortcut({ keys: [key] }, false)).toBe(aria);
});
