import type { Callback } from 'atlassian-connect-js';

const ROUTE_MARK = '#!';

/** `AP.history`: the add-on's state is the part of the page's address behind `#!`. */
export const addonHistory = {
  getState: (_kind: unknown, callback: Callback) =>
    callback(location.hash.startsWith(ROUTE_MARK) ? decodeURIComponent(location.hash.slice(ROUTE_MARK.length)) : ''),
  pushState: (state: unknown, _callback: Callback) => history.pushState(null, '', address(state)),
  replaceState: (state: unknown, _callback: Callback) => history.replaceState(null, '', address(state)),
  go: (steps: unknown, _callback: Callback) => history.go(Number(steps)),
  back: () => history.back(),
  forward: () => history.forward(),
};

const address = (state: unknown) => ROUTE_MARK + encodeURIComponent(String(state));
