import type { Page, Route } from 'playwright-core';

/** What a proxy does not answer while the server behind it is away: it still hands out files. */
export const served = (url: URL) => url.pathname === '/graphql' || url.pathname.startsWith('/api/');

export interface Outage {
  /** Lets our server be there again while somebody asks for another try: no try of the panel's own comes before. */
  end(tryNow: () => Promise<unknown>): Promise<void>;
}

/** Has a proxy say, with that status, that our server is away from all that somebody looks at. */
export async function cutOff(somebody: Page, status = 502): Promise<Outage> {
  const context = somebody.context();
  let answer: (route: Route) => unknown = route => route.fulfill({ status, body: 'Bad Gateway' });
  await context.route(served, route => answer(route));
  return {
    async end(tryNow) {
      const held: Route[] = [];
      answer = route => held.push(route);
      await tryNow();
      // It stays on the way: a request that is caught just as nobody catches any more may never be answered.
      answer = route => route.continue();
      for (const route of held) await route.continue();
    },
  };
}
