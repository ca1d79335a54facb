import type { Page, Request, Route } from 'playwright-core';

export const isGraphql = (url: URL) => url.pathname === '/graphql';

/** What a proxy does not answer while the server behind it is away: it still hands out files. */
export const served = (url: URL) => isGraphql(url) || url.pathname.startsWith('/api/');

type Answer = (route: Route) => unknown;

/**
 * Answers a page's requests to the app's server with `first`, until they are held back or let through. The route stays: a
 * request that is caught just as no handler is there any more may never be answered.
 */
async function intercept(page: Page, first: Answer, which = served) {
  let answer = first;
  const pass: Answer = route => route.continue();
  await page.context().route(which, route => answer(route));
  return {
    letThrough(): void {
      answer = pass;
    },
    /** Holds requests back while `work` runs. */
    async hold(work: () => Promise<unknown>): Promise<void> {
      const held: Route[] = [];
      answer = route => held.push(route);
      await work();
      answer = pass;
      for (const route of held) await route.continue();
    },
  };
}

export interface Outage {
  /** Ends the outage while `tryNow` asks for another attempt: no retry of the page's own is answered before. */
  end(tryNow: () => Promise<unknown>): Promise<void>;
}

/** Makes a proxy say, with that status, that the app's server is away, or what of it is given. */
export async function cutOff(page: Page, status = 502, which = served): Promise<Outage> {
  const requests = await intercept(page, route => route.fulfill({ status, body: 'Bad Gateway' }), which);
  return { end: requests.hold };
}

/** Answers a page's queries and changes with `answer`, until the returned function is called. */
export async function answerGraphql(page: Page, answer: Answer): Promise<() => void> {
  const first: Answer = route => (route.request().method() === 'POST' ? answer(route) : route.continue());
  const requests = await intercept(page, first, isGraphql);
  return requests.letThrough;
}

/** Holds a page's requests to the app's server back while `work` runs: the page cannot recover before it is done. */
export async function holdBack(page: Page, work: () => Promise<unknown>): Promise<void> {
  const requests = await intercept(page, route => route.continue());
  await requests.hold(work);
}

/** Whether a request asks the app's server for a checklist. */
export const readsChecklist = (request: Request) => request.postData()?.includes('getChecklist') === true;

/**
 * Gives each reading of a checklist, at the tracker and at the app's server, to `handle`. The returned function gives them to
 * another one.
 */
export async function routeReadings(page: Page, handle: Answer): Promise<(next: Answer) => void> {
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
