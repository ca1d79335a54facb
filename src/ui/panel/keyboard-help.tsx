import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { listKeys } from '../checklist/list/list-keys.ts';

interface Props {
  /** Takes the focus on close if the previously focused element is unmounted. */
  button: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

/** The list's keyboard shortcuts. */
export default function Help({ button, onClose }: Props) {
  const region = useRef<HTMLElement>(null);
  const from = useRef<Element>(null);
  useEffect(() => {
    // In an effect, after the menu that opened it is unmounted: it traps the focus.
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
        {listKeys.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map(key => (
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
