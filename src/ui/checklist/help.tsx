import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const mac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');
const ctrl = mac ? '⌘' : 'Ctrl';
const alt = mac ? '⌥' : 'Alt';

/** Keys that are pressed together, and what they do. */
const keys: readonly (readonly [readonly string[], string])[] = [
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

interface Props {
  /** Has the focus when it closes, where what had it before has gone. */
  button: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

/** The keys of the list. */
export default function Help({ button, onClose }: Props) {
  const region = useRef<HTMLElement>(null);
  const from = useRef<Element>(null);
  useEffect(() => {
    // Not before a menu that it was chosen in has gone, which keeps the focus as long as it is there.
    from.current = document.activeElement;
    region.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const { current: here } = region;
    return () => {
      if (!here?.contains(document.activeElement)) return;
      const { current: before } = from;
      const back = before instanceof HTMLElement && before !== document.body && before.isConnected;
      (back ? before : button.current)?.focus();
    };
  }, [button]);
  return (
    <section
      ref={region}
      className="check-help"
      aria-label="Keyboard shortcuts"
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key === 'Escape' || event.key === '?') onClose();
      }}
    >
      <dl>
        {keys.map(([together, what]) => (
          <div key={what}>
            <dt>
              {together.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="check-tool" onClick={onClose}>
        Close
      </button>
    </section>
  );
}
