import { useCallback, useEffect, useState } from 'react';
import { keepSetting, type PreviewSetting, readSetting } from './setting.ts';
import { useWide } from './use-wide.ts';

export interface PreviewState extends PreviewSetting {
  /** Whether there is room for it at all. */
  possible: boolean;
  toggle(): void;
  setWidth(width: number): void;
  /** Has the width remembered. */
  keep(): void;
}

/** Whether the preview shows, and how wide; Ctrl+Alt+P or Cmd+Alt+P switches it wherever the focus is in the frame. */
export function usePreview(): PreviewState {
  const [setting, set] = useState(() => readSetting());
  const possible = useWide();
  const toggle = useCallback(
    () =>
      set(before => {
        const next = { ...before, open: !before.open };
        keepSetting(next);
        return next;
      }),
    [],
  );
  useEffect(() => {
    if (!possible) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'KeyP' || !event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [possible, toggle]);
  return {
    ...setting,
    possible,
    toggle,
    setWidth: width => set(before => ({ ...before, width })),
    keep: () => keepSetting(setting),
  };
}
