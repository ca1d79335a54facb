/**
 * The parts of the vendor's bridge that are used. Its package has one entry, which brings all of it (31 KB gzip): hence
 * its modules by their files, of an exact version. Each takes the host's global while it is loaded, and throws where
 * there is none.
 */
export { events } from '../../node_modules/@forge/bridge/out/events/events.js';
export { requestJira } from '../../node_modules/@forge/bridge/out/fetch/index.js';
export { showFlag } from '../../node_modules/@forge/bridge/out/flag/flag.js';
export { invokeRemote } from '../../node_modules/@forge/bridge/out/invoke-endpoint/invoke-remote.js';
export { Modal } from '../../node_modules/@forge/bridge/out/modal/modal.js';
export { router } from '../../node_modules/@forge/bridge/out/router/router.js';
export { close } from '../../node_modules/@forge/bridge/out/view/close.js';
export { createHistory } from '../../node_modules/@forge/bridge/out/view/createHistory.js';
export { getContext } from '../../node_modules/@forge/bridge/out/view/getContext.js';
export { theme } from '../../node_modules/@forge/bridge/out/view/theme.js';
