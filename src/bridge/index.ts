import { insideTracker } from './ap.ts';
import type { HostBridge } from './bridge.ts';
import { connectBridge } from './connect.ts';
import { noBridge } from './none.ts';

/** The bridge to whatever is around this page. The host's script, if any, has run before. */
export function openBridge(): HostBridge {
  const ap = window.AP;
  return insideTracker(ap) ? connectBridge(ap, location.search) : noBridge(location.search);
}
