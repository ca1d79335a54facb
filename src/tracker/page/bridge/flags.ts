import type { FlagProvider } from 'atlassian-connect-js';
import { createStore } from './store.ts';

export type FlagKind = 'success' | 'info' | 'warning' | 'error';

export interface Flag {
  id: string;
  title: string;
  body: string;
  kind: FlagKind;
  /** Closes automatically after a while. */
  fleeting: boolean;
  actions: { label: string; run(): void }[];
  close(): void;
}

/** The notifications that are on the page, oldest first. */
export const flags = createStore<readonly Flag[]>([]);

export const kindOf = (type: string): FlagKind =>
  type === 'success' || type === 'warning' || type === 'error' ? type : 'info';

/** Behind `AP.flag`. */
export const flagProvider: FlagProvider = {
  create({ id, title = '', body = '', type, close: closing, actions, onClose }) {
    const close = () => {
      if (!flags.get().some(flag => flag.id === id)) return;
      flags.update(shown => shown.filter(flag => flag.id !== id));
      onClose(id);
    };
    const flag: Flag = {
      id,
      title,
      body,
      kind: kindOf(type),
      fleeting: closing === 'auto',
      actions: actions.map(({ actionText, executeAction }) => ({ label: actionText, run: executeAction })),
      close,
    };
    flags.update(shown => [...shown, flag]);
    return { close };
  },
};
