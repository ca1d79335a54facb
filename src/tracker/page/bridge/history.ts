import type { Callback } from 'atlassian-connect-js';

const MARK = '#!';

/** `AP.history`: the add-on's state is the part of the page's address behind `#!`. */
export const addonHistory = {
  getState: (_kind: unknown, callback: Callback) =>
    callback(location.hash.startsWith(MARK) ? decodeURIComponent(location.hash.slice(MARK.length)) : ''),
  pushState: (state: unknown, _callback: Callback) => history.pushState(null, '', address(state)),
  replaceState: (state: unknown, _callback: Callback) => history.replaceState(null, '', address(state)),
  go: (steps: unknown, _callback: Callback) => history.go(Number(steps)),
  back: () => history.back(),
  forward: () => history.forward(),
};

const address = (state: unknown) => MARK + encodeURIComponent(String(state));
