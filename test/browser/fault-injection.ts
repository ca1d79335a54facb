import type { Page, Request, Route } from 'playwright-core';

export const isGraphql = (url: URL) => url.pathname === '/graphql';

/** Requests that a proxy does not answer while the server behind it is down: static files are still served. */
const isAppRequest = (url: URL) => isGraphql(url) || url.pathname.startsWith('/api/');

type Answer = (route: Route) => unknown;

/**
 * Answers a page's requests to the app's server with `first`, until they are held or let through. The route stays: a
 * request caught while its handler is being removed may never be answered.
 */
async function intercept(page: Page, first: Answer, which = isAppRequest) {
  let answer = first;
  const pass: Answer = route => route.continue();
  await page.context().route(which, route => answer(route));
  return {
    passThrough(): void {
      answer = pass;
    },
    /** Holds requests while `work` runs. */
    async hold(work: () => Promise<unknown>): Promise<void> {
      const held: Route[] = [];
      answer = route => held.push(route);
      await work();
      answer = pass;
      for (const route of held) await route.continue();
    },
  };
}

export interface Fault {
  /** Ends the fault while `retry` requests another attempt: no automatic retry of the page is answered before. */
  end(retry: () => Promise<unknown>): Promise<void>;
}

/** Answers with that status, as a proxy does while the app's server is down; `which` limits it to some requests. */
export async function failRequests(page: Page, status = 502, which = isAppRequest): Promise<Fault> {
  const requests = await intercept(page, route => route.fulfill({ status, body: 'Bad Gateway' }), which);
  return { end: requests.hold };
}

/** Answers a page's queries and mutations with `answer`, until the returned function is called. */
export async function answerGraphql(page: Page, answer: Answer): Promise<() => void> {
  const first: Answer = route => (route.request().method() === 'POST' ? answer(route) : route.continue());
  const requests = await intercept(page, first, isGraphql);
  return requests.passThrough;
}

/** Holds a page's requests to the app's server while `work` runs: the page cannot recover before. */
export async function holdRequests(page: Page, work: () => Promise<unknown>): Promise<void> {
  const requests = await intercept(page, route => route.continue());
  await requests.hold(work);
}

/** Whether a request queries the app's server for a checklist. */
export const readsChecklist = (request: Request) => request.postData()?.includes('getChecklist') === true;

/**
 * Passes each read of a checklist, from the tracker and from the app's server, to `handle`. The returned function
 * replaces the handler.
 */
export async function routeReads(page: Page, handle: Answer): Promise<(next: Answer) => void> {
  const isTracker = (url: URL) => url.pathname.includes('/rest/api/2/issue/') && url.searchParams.has('properties');
  let answer = handle;
  await page.route(
    url => isTracker(url) || isGraphql(url),
    route => {
      const request = route.request();
      return isTracker(new URL(request.url())) || readsChecklist(request) ? answer(route) : route.fallback();
    },
  );
  return next => {
    answer = next;
  };
}
