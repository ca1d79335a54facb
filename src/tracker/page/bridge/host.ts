import './ajs-shim.ts';
import connectHost, { type ConnectHost } from 'atlassian-connect-js';

declare global {
  interface Window {
    connectHost?: ConnectHost;
  }
}

// `AP.page.setTitle` and the bridge's feature flags look for it there.
window.connectHost = connectHost;

export { connectHost };
