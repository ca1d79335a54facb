import { insideTracker } from './ap.ts';
import type { HostBridge } from './bridge.ts';
import { connectBridge } from './connect.ts';
import { noBridge } from './none.ts';

/** The host of the frames that a build is for (vite.config.ts); detected at run time in unbuilt code. */
declare const __HOST__: 'connect' | 'forge' | undefined;
const host = typeof __HOST__ === 'undefined' ? undefined : __HOST__;

/** The bridge to the host of this page. The host's script, if any, has run before. */
export async function openBridge(): Promise<HostBridge> {
  // The vendor's modules throw if they are loaded outside its frames.
  if (host !== 'connect' && '__bridge' in globalThis) return (await import('./forge.ts')).forgeBridge();
  const ap = window.AP;
  if (host !== 'forge' && insideTracker(ap)) return connectBridge(ap, location.search);
  return noBridge(location.search);
}
