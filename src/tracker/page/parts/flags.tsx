import { useEffect, useState } from 'react';
import { useStore } from '../app/store.ts';
import { type Flag, flags } from '../bridge/flags.ts';

/** The time starts again after the pointer or focus has left the flag. */
const FLAG_DURATION_MS = 8_000;

const kinds = { success: 'Success', info: 'Information', warning: 'Warning', error: 'Error' } as const;

/** Flags, in a live region that exists from the start, so that they are announced. */
export function Flags() {
  const shown = useStore(flags);
  return (
    <section className="flags" aria-label="Notifications" aria-live="polite">
      {shown.map(flag => (
        <FlagCard key={flag.id} flag={flag} />
      ))}
    </section>
  );
}

function FlagCard({ flag }: { flag: Flag }) {
  const { kind, title, body, fleeting, actions, close } = flag;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!fleeting || held) return;
    const timer = setTimeout(close, FLAG_DURATION_MS);
    return () => clearTimeout(timer);
  }, [fleeting, held, close]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only pause its timer
    <div
      className="flag"
      data-kind={kind}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="flag-mark" aria-hidden="true" />
      <div className="flag-text">
        <p className="flag-title">
          <span className="hidden">{kinds[kind]}: </span>
          {title}
        </p>
        {body ? <p>{body}</p> : null}
        {actions.map(({ label, run }) => (
          <button key={label} type="button" className="link-button" onClick={run}>
            {label}
          </button>
        ))}
      </div>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={close}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}
