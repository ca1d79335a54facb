import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { HostModule } from '../../wire/modules.ts';
import { useSite } from '../app/site.ts';
import { useStore } from '../app/store.ts';
import { type ConnectDialog, type Dialog, dialogs, dismissDialog, type ForgeDialog } from '../bridge/dialogs.ts';
import { modulesQuery } from '../data/queries.ts';
import { Frame } from './frame.tsx';
import { Loading, Message } from './message.tsx';

/** The open dialogs. Escape arrives here when the focus is on the page, and through the bridge from inside a frame. */
export function Dialogs() {
  const open = useStore(dialogs);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && dialogs.get().at(-1)?.closeOnEscape) dismissDialog();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return useClosing(open).map(dialog => (
    <DialogLayer key={dialog.id} dialog={dialog} isOpen={open.includes(dialog)} covered={dialog !== open.at(-1)} />
  ));
}

/**
 * Milliseconds for which the frame of a closed dialog stays hidden in the page. The tracker's own dialogs fade; and a
 * browser waits in vain when the frame is removed while it handles the closing click.
 */
const CLOSE_DELAY_MS = 200;

/** The open dialogs and those just closed, at constant positions: a moved frame is reloaded. */
function useClosing(open: readonly Dialog[]): readonly Dialog[] {
  const [shown, setShown] = useState(open);
  const fresh = open.filter(dialog => !shown.includes(dialog));
  if (fresh.length > 0) setShown([...shown, ...fresh]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(open), CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return shown;
}

interface LayerProps {
  isOpen: boolean;
  covered: boolean;
}

const DialogLayer = ({ dialog, ...layer }: LayerProps & { dialog: Dialog }) =>
  dialog.framework === 'connect' ? (
    <ConnectLayer dialog={dialog} {...layer} />
  ) : (
    <ForgeLayer dialog={dialog} {...layer} />
  );

/** A dialog whose page is asked for by its key. */
function ConnectLayer({ dialog, ...layer }: LayerProps & { dialog: ConnectDialog }) {
  const { moduleKey, about, size } = dialog;
  const site = useSite();
  const { data, error, refetch } = useQuery(modulesQuery(site, 'connect', { place: 'dialog', about, key: moduleKey }));
  const module = data?.[0];
  const retry = () => void refetch();
  const ofModule = module?.framework === 'connect' ? module.dialog?.size : undefined;
  return (
    <Layer dialog={dialog} size={size ?? ofModule} name={module?.name} {...layer}>
      {module ? (
        <DialogFrame module={module} dialog={dialog} retry={retry} />
      ) : data || error ? (
        <Message kind="error" title="We couldn't open this dialog." retry={retry} dismiss={dismissDialog}>
          {error?.message ?? `The app has no page called ${moduleKey}, or you don't have permission to see it.`}
        </Message>
      ) : (
        <Loading />
      )}
    </Layer>
  );
}

/** A dialog with the page of the frame that has opened it. */
function ForgeLayer({ dialog, ...layer }: LayerProps & { dialog: ForgeDialog }) {
  const [module, setModule] = useState(dialog.module);
  return (
    <Layer dialog={dialog} size={dialog.size} name={module.name} {...layer}>
      <DialogFrame module={module} dialog={dialog} retry={() => setModule({ ...module })} />
    </Layer>
  );
}

const DialogFrame = ({ module, dialog, retry }: { module: HostModule; dialog: Dialog; retry(): void }) => (
  <Frame
    module={module}
    place="dialog"
    about={dialog.about}
    fill
    focus
    dialog={dialog}
    retry={retry}
    dismiss={dismissDialog}
  />
);

interface BoxProps extends LayerProps {
  dialog: Dialog;
  size: string | undefined;
  name: string | undefined;
  children: ReactNode;
}

function Layer({ dialog, size, name = 'App', isOpen, covered, children }: BoxProps) {
  const { opener } = dialog;
  const element = useRef<HTMLDivElement>(null);
  const fills = size === 'maximum' || size === 'fullscreen';

  useEffect(() => {
    if (!isOpen) return;
    element.current?.focus();
    // The elements that the dialog covered are no longer inert by then.
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
        aria-label={name}
        tabIndex={-1}
      >
        {children}
      </div>
    </div>
  );
}
