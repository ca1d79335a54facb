import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSite } from '../app/site.ts';
import { useStore } from '../app/store.ts';
import { type Dialog, dialogs, dismissDialog } from '../bridge/dialogs.ts';
import { modulesQuery } from '../data/queries.ts';
import { Frame } from './frame.tsx';
import { Loading, Message } from './message.tsx';

/** The open dialogs. Escape reaches them here when the focus is on our page, and through the bridge from inside a frame. */
export function Dialogs() {
  const open = useStore(dialogs);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && dialogs.get().at(-1)?.closeOnEscape) dismissDialog();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return useLingering(open).map(dialog => (
    <DialogLayer key={dialog.id} dialog={dialog} isOpen={open.includes(dialog)} covered={dialog !== open.at(-1)} />
  ));
}

/**
 * Milliseconds that the frame of a closed dialog lives on, unseen. The tracker's own dialogs fade; and a browser that
 * is just handing the frame the click that closes it waits in vain when the frame goes under its hands.
 */
const LINGERS = 200;

/** The open dialogs and those that have just closed. None changes its place: a frame that is moved is loaded anew. */
function useLingering(open: readonly Dialog[]): readonly Dialog[] {
  const [shown, setShown] = useState(open);
  const fresh = open.filter(dialog => !shown.includes(dialog));
  if (fresh.length > 0) setShown([...shown, ...fresh]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(open), LINGERS);
    return () => clearTimeout(timer);
  }, [open]);
  return shown;
}

function DialogLayer({ dialog, isOpen, covered }: { dialog: Dialog; isOpen: boolean; covered: boolean }) {
  const { moduleKey, about, opener, options } = dialog;
  const element = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery(modulesQuery(useSite(), 'dialog', about, moduleKey));
  const module = data?.[0];
  const retry = () => void refetch();
  const size = dialog.size ?? module?.dialog?.size;
  const fills = size === 'maximum' || size === 'fullscreen';

  useEffect(() => {
    if (!isOpen) return;
    element.current?.focus();
    // By then what was covered is not inert any more.
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [isOpen, opener]);

  return (
    <div className="blanket" hidden={!isOpen} inert={covered}>
      <div
        ref={element}
        className="dialog"
        data-size={fills ? 'full' : size}
        style={size === undefined ? { width: dialog.width, height: dialog.height } : {}}
        role="dialog"
        aria-modal="true"
        aria-label={module?.name ?? 'App'}
        tabIndex={-1}
      >
        {module ? (
          <Frame
            module={module}
            place="dialog"
            about={about}
            fill
            focus
            extra={options}
            retry={retry}
            dismiss={dismissDialog}
          />
        ) : data || error ? (
          <Message kind="error" title="This dialog could not be opened." retry={retry} dismiss={dismissDialog}>
            {error?.message ?? `The app has no page named ${moduleKey} for you here.`}
          </Message>
        ) : (
          <Loading />
        )}
      </div>
    </div>
  );
}
