import { useMemo, useState, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import type { EditorCommand } from '../../../editor/index.ts';
import { usePreference } from '../../model/use-preference.ts';

/** Below this there is no room for two. */
const wide = '(min-width: 800px)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is wide enough for a preview beside the text. */
export const useWideWindow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches);

export const WIDTH_LEAST = 20;
export const WIDTH_MOST = 70;

const setting = v.object({
  open: v.boolean(),
  width: v.pipe(v.number(), v.minValue(WIDTH_LEAST), v.maxValue(WIDTH_MOST)),
});
const initial = { open: false, width: 40 };

/** How the preview stands beside the text. */
export interface PreviewState {
  open: boolean;
  /** Percent of the room that text and preview share. */
  width: number;
  /** Shows or hides it; missing where there is no room for it. */
  command: EditorCommand | undefined;
  /** Gives it a width for the moment. */
  setWidth(width: number): void;
  /** Gives it a width that is remembered. */
  keepWidth(width: number): void;
}

/** Whether the preview shows, and how wide. */
export function usePreview(): PreviewState {
  const [{ open, width }, keep] = usePreference('preview', setting, initial);
  const [moved, setWidth] = useState<number | undefined>(undefined);
  const possible = useWideWindow();
  const command = useMemo(
    (): EditorCommand => ({
      id: 'preview',
      title: 'Preview on or off',
      keys: [{ key: 'Mod-Alt-p', scope: 'editor page' }],
      edits: false,
      run: () => {
        keep({ open: !open, width });
        return true;
      },
    }),
    [open, width, keep],
  );
  return {
    open: open && possible,
    width: moved ?? width,
    command: possible ? command : undefined,
    setWidth,
    keepWidth: now => {
      setWidth(undefined);
      keep({ open, width: now });
    },
  };
}
