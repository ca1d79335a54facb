import type { FrameLocator, Locator, Page } from 'playwright-core';
import { dialog } from './site.ts';

/** An issue's text editor in a page, for tests by keyboard. */
export interface EditorPage {
  frame(): FrameLocator;
  text(): Locator;
  /** Presses keys one after the other. */
  keys(...pressed: string[]): Promise<void>;
}

export function editorOn(user: () => Page): EditorPage {
  const frame = () => dialog(user());
  return {
    frame,
    text: () => frame().getByRole('textbox', { name: /as text/ }),
    keys: async (...pressed) => {
      for (const key of pressed) await user().keyboard.press(key);
    },
  };
}
