const mac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');
const ctrl = mac ? '⌘' : 'Ctrl';
const alt = mac ? '⌥' : 'Alt';

/** Key combinations of the list with their descriptions. */
export const listKeys: readonly (readonly [readonly string[], string])[] = [
  [['↑', '↓'], 'Go to the row above or below'],
  [['Home', 'End'], 'Go to the first or last row'],
  [['Space'], 'Tick an item, or open and close a section'],
  [['Enter'], 'Add an item below, or in the section'],
  [[alt, '↑ ↓'], 'Move the row, the section or the selected rows'],
  [['←', '→'], 'Close or open a section'],
  [['Shift', '↑ ↓'], 'Select rows'],
  [[ctrl, 'A'], 'Select all rows'],
  [['Delete'], 'Delete the row or the selected rows'],
  [['Esc'], 'End the selection, or close an empty input'],
  [[ctrl, 'Z'], 'Undo'],
  [[ctrl, 'Shift', 'Z'], 'Redo'],
  [['Shift', 'Enter'], 'While adding: another line'],
  [['?'], 'Show or hide this help'],
];
