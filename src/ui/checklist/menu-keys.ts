import { type RefObject, useEffect } from 'react';

/** In the menu that is open, a letter goes to the next entry that begins with it. */
export function useFirstLetter(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const here = document.activeElement;
      const menu = here?.closest('[role=menu]');
      if (!menu || key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
      const entries = [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];
      const at = entries.findIndex(entry => entry.contains(here));
      const next = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].find(entry =>
        entry.textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
      );
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Where the kit's menu takes the focus when it closes: nowhere, since whoever opened it knows what comes next. */
export const elsewhere: RefObject<HTMLElement> = { current: document.body };
