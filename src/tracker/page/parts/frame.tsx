import { useEffect, useRef, useState } from 'react';
import type { HostModule, ModulePlace } from '../../wire/modules.ts';
import type { Dialog } from '../bridge/dialogs.ts';
import { mountForgeFrame } from '../bridge/forge/frames.ts';
import { type FrameOptions, mountFrame } from '../bridge/frames.ts';
import type { About } from '../data/queries.ts';
import { Loading, Message } from './message.tsx';

/** A page of the add-on must respond within the first time, and within the second once its document is loaded. */
const LOAD_TIMEOUT_MS = 20_000;
const RESPONSE_TIMEOUT_MS = 4_000;

interface FrameProps {
  module: HostModule;
  place: ModulePlace;
  about: About;
  /** Fills its container and scrolls inside, instead of growing with its content. */
  fill?: boolean;
  /** Takes the focus as soon as it is there. */
  focus?: boolean;
  /** The dialog of the frame. */
  dialog?: Dialog;
  /** Requests a freshly signed address. */
  retry(): void;
  /** Closes the container, if the user could not otherwise. */
  dismiss?: () => void;
}

/** A page of the add-on. Mounted anew whenever `module` is another object: each has its own address. */
export function Frame({ module, place, about, fill = false, focus = false, dialog, retry, dismiss }: FrameProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'silent'>('loading');
  // Kept over a remount, so that the container does not collapse.
  const [height, setHeight] = useState<number | undefined>(undefined);

  useEffect(() => {
    const room = holder.current;
    if (!room) return;
    let established = false;
    let loaded = false;
    const giveUp = () => setState(now => (now === 'ready' ? now : 'silent'));
    const timers = [setTimeout(giveUp, LOAD_TIMEOUT_MS)];
    // A frame is white until its page has a theme: it is shown when its document is complete.
    const settle = () => {
      if (!established || !loaded) return;
      setState('ready');
    };
    setState('loading');
    const unmount = mount(room, module, {
      place,
      about,
      dialog,
      onHeight: fill ? undefined : setHeight,
      onEstablished() {
        established = true;
        settle();
      },
      onLoad() {
        loaded = true;
        timers.push(setTimeout(giveUp, RESPONSE_TIMEOUT_MS));
        settle();
      },
    });
    return () => {
      timers.forEach(clearTimeout);
      unmount();
    };
  }, [module, place, about, fill, dialog]);

  useEffect(() => {
    if (focus && state === 'ready') holder.current?.querySelector('iframe')?.focus();
  }, [focus, state]);

  // A page that shows nothing takes no room, as at the real tracker.
  const size = height === undefined ? {} : { height, minHeight: 0 };
  return (
    <div className="frame" data-state={state} data-fill={fill} style={size}>
      {state === 'loading' && <Loading what={module.name} />}
      {state === 'silent' && (
        <Message kind="error" title={`${module.name} didn't answer.`} retry={retry} dismiss={dismiss}>
          The app may not be running, or its page can't be shown here.
        </Message>
      )}
      <div ref={holder} className="frame-holder" inert={state !== 'ready'} />
    </div>
  );
}

const mount = (room: HTMLElement, module: HostModule, frame: FrameOptions) =>
  module.framework === 'connect' ? mountFrame(room, module, frame) : mountForgeFrame(room, module, frame);
