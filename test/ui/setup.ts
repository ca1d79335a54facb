import './styles.ts';
import '@testing-library/jest-dom/vitest';
import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';
import { WAIT_TIMEOUT } from '../run/timeouts.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

// The next file gets a clean document, without user-event's clipboard, and without a chunk whose loading the end of
// this
// one has aborted.
afterAll(async () => {
  await vi.dynamicImportSettled();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name);
  history.replaceState(null, '', '/');
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(document, 'execCommand');
});

const { getElementError } = getConfig();

/** Prints the document only when the message is read, not for each attempt of a query that waits for an element. */
function elementError(message: string | null, container: Element): Error {
  const error = Object.assign(new Error(), { name: 'TestingLibraryElementError' });
  Error.captureStackTrace(error, elementError);
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => getElementError(message, container).message,
  });
}

// Screens are chunks of their own, which a busy machine takes long to load.
configure({ asyncUtilTimeout: WAIT_TIMEOUT, getElementError: elementError });

/*
 * React's build for development records a stack trace for each element that it creates, to print the trace in warnings.
 * The traces take a tenth of the time of these tests. React records none while its counter is above ten thousand.
 */
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
});

/** Functions of browsers that jsdom lacks. Layout is all zeros; a test that needs sizes defines its own. */
window.matchMedia ??= query =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
};

Range.prototype.getClientRects ??= () => Object.assign([], { item: () => null });
Range.prototype.getBoundingClientRect ??= () => new DOMRect();
Element.prototype.scrollIntoView ??= () => undefined;
