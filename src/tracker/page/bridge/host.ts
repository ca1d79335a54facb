import './ajs-shim.ts';
import connectHost from 'atlassian-connect-js';

// `AP.page.setTitle` and the bridge's feature flags look for it there.
Object.assign(window, { connectHost });

export { connectHost };
