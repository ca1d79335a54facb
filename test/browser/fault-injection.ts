import type { Page, Route } from 'playwright-core';

/** What a proxy does not answer while the server behind it is away: it still hands out files. */
export const served = (url: URL) => url.pathname === '/graphql' || url.pathname.startsWith('/api/');

type Answer = (route: Route) => unknown;

/** Answers a page's requests to the app's server with `first`, until they are held back. */
async function intercept(page: Page, first: Answer) {
  let answer = first;
  await page.context().route(served, route => answer(route));
  return {
    /** Holds requests back while `work` runs. */
    async hold(work: () => Promise<unknown>): Promise<void> {
      const held: Route[] = [];
      answer = route => held.push(route);
      await work();
      // The route stays: a request that is caught just as no handler is there any more may never be answered.
      answer = route => route.continue();
      for (const route of held) await route.continue();
    },
  };
}

export interface Outage {
  /** Ends the outage while `tryNow` asks for another attempt: no retry of the page's own is answered before. */
  end(tryNow: () => Promise<unknown>): Promise<void>;
}

/** Makes a proxy say, with that status, that the app's server is away. */
export async function cutOff(page: Page, status = 502): Promise<Outage> {
  const requests = await intercept(page, route => route.fulfill({ status, body: 'Bad Gateway' }));
  return { end: requests.hold };
}

/** Holds a page's requests to the app's server back while `work` runs: the page cannot recover before it is done. */
export async function holdBack(page: Page, work: () => Promise<unknown>): Promise<void> {
  const requests = await intercept(page, route => route.continue());
  await requests.hold(work);
}

/** Gives each reading of a checklist, at the tracker and at the app's server, to `handle`, until the returned function is called. */
export async function routeReadings(page: Page, handle: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
  const isTracker = (url: URL) => url.pathname.includes('/rest/api/2/issue/') && url.searchParams.has('properties');
  const isServer = (route: Route) => route.request().postData()?.includes('getChecklist') === true;
  const url = (url: URL) => isTracker(url) || url.pathname === '/graphql';
  const routed = (route: Route) =>
    isTracker(new URL(route.request().url())) || isServer(route) ? handle(route) : route.fallback();
  await page.route(url, routed);
  return () => page.unroute(url, routed);
}
