/** Does something with what tells of events. It comes late: nobody waits for it, and nobody misses it. */
export const withAnalytics = (tell: (analytics: typeof import('../../client/analytics.ts')) => void): void =>
  void import('../../client/analytics.ts').then(tell).catch(() => undefined);
