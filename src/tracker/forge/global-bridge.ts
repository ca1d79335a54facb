import { GREETING } from './greeting.ts';
import { rpc } from './rpc.ts';

/**
 * The emulated half of the vendor's global-bridge.js, which stands at the head of each page. `@forge/bridge` calls
 * `__bridge.callBridge`; behind `enableTheming` stand the page's colours, now and from now on. Keys pressed in a frame do
 * not reach the page around it: Escape is passed on, as it closes modals. Some loaders name functions by `__name`.
 */
export const globalBridge = `(() => {
  if (globalThis.__bridge) return;
  const __name = value => value;
  const rpc = ${rpc.toString()};
  const { port1, port2 } = new MessageChannel();
  const call = rpc(port1, () => undefined);
  parent.postMessage(${JSON.stringify(GREETING)}, new URLSearchParams(location.search).get('hostname'), [port2]);
  const theme = names => {
    Object.assign(document.documentElement.dataset, names);
  };
  globalThis.__bridge = {
    callBridge: async (command, payload) => call(command, command === 'enableTheming' ? theme : payload),
  };
  addEventListener('keydown', event => {
    if (event.key === 'Escape' && !event.defaultPrevented) call('escape');
  });
})();
`;
