export const selected = 'Selected. Press Enter to change it.';
