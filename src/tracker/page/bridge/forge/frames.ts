import { GREETING } from '../../../forge/greeting.ts';
import { rpc } from '../../../forge/rpc.ts';
import type { ForgeModule } from '../../../wire/modules.ts';
import type { FrameOptions } from '../frames.ts';
import { createHost } from './host.ts';

/** The vendor's sandbox of a frame (Forge, "Custom UI", iframe): links open no windows, only `router.open` does. */
const SANDBOX = [
  'allow-downloads',
  'allow-forms',
  'allow-modals',
  'allow-pointer-lock',
  'allow-same-origin',
  'allow-scripts',
].join(' ');

/** The vendor's feature policies of a frame (Forge, "Custom UI", iframe). */
const ALLOW = 'camera; clipboard-write; display-capture; fullscreen; microphone';

/** Mounts a page of the Forge app in the holder. Returns the function that removes it. */
export function mountForgeFrame(holder: HTMLElement, module: ForgeModule, frame: FrameOptions): () => void {
  const { origin } = new URL(module.url);
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', SANDBOX);
  element.setAttribute('allow', ALLOW);
  element.referrerPolicy = 'no-referrer';
  element.title = module.name;
  element.src = module.url;
  element.addEventListener('load', frame.onLoad);

  let end = () => {};
  const greet = ({ source, origin: from, data, ports: [port] }: MessageEvent) => {
    if (source !== element.contentWindow || from !== origin || data !== GREETING || !port) return;
    // A reloaded page has lost its subscriptions.
    end();
    const host = createHost(module, frame);
    end = host.end;
    rpc(port, host.command);
    frame.onEstablished();
  };
  window.addEventListener('message', greet);
  holder.append(element);
  if (frame.onHeight) void followHeight(element, origin, frame.onHeight);
  return () => {
    window.removeEventListener('message', greet);
    end();
    element.iFrameResizer?.removeListeners();
    element.remove();
  };
}

/** The vendor's host follows the height of a frame's page. Loaded for these frames only. */
async function followHeight(
  element: HTMLIFrameElement,
  origin: string,
  onHeight: (height: number) => void,
): Promise<void> {
  const { default: iframeResizer } = await import('iframe-resizer/js/iframeResizer.js');
  if (!element.isConnected) return;
  const onResized = ({ height }: { height: string | number }) => onHeight(Math.ceil(Number(height)));
  iframeResizer({ checkOrigin: [origin], sizeWidth: false, onResized }, element);
}
