import type { Caller } from '../platform/tokens.ts';
import { createFairCache } from './fair-cache.ts';
import type { Answer } from './grants.ts';

/** Applies to the cached answers and to the doubts separately, each over all sites. */
export const MAX_KNOWN_ANSWERS = 10_000;

/** The tracker's answer, and when it was asked for in milliseconds. */
export interface KnownAnswer {
  asked: number;
  answer: Answer;
}

/** Identifies an answer: the site, the issue, the installation, the account, and whether the frame shows the issue. */
export const answerKey = ({ tenant, account, frame }: Caller, id: string): string =>
  JSON.stringify([tenant.id, id, tenant.epoch, account, frame?.issue === id]);

/** Cached answers of the tracker. Each site has its own share, so a busy site can't evict another site's answers. */
export interface KnownAnswers {
  get(caller: Caller, issue: string): KnownAnswer | undefined;
  set(caller: Caller, issue: string, entry: KnownAnswer): void;
  delete(caller: Caller, issue: string): void;
}

export function createKnownAnswers(most = MAX_KNOWN_ANSWERS): KnownAnswers {
  const visibleAnswers = createFairCache<KnownAnswer>(most);
  /** A cache of its own, as an account can make up as many ids as it likes. */
  const hiddenAnswers = createFairCache<KnownAnswer>(most);
  return {
    get(caller, issue) {
      const [site, key] = [caller.tenant.id, answerKey(caller, issue)];
      return visibleAnswers.get(site, key) ?? hiddenAnswers.get(site, key);
    },
    set(caller, issue, entry) {
      const [site, key] = [caller.tenant.id, answerKey(caller, issue)];
      const [to, from] =
        entry.answer.sees === 'nothing' ? [hiddenAnswers, visibleAnswers] : [visibleAnswers, hiddenAnswers];
      from.delete(site, key);
      to.set(site, key, entry);
    },
    delete(caller, issue) {
      for (const cache of [visibleAnswers, hiddenAnswers]) cache.delete(caller.tenant.id, answerKey(caller, issue));
    },
  };
}

/** The times before which answers and tokens of issues are invalid, in milliseconds. */
export interface Doubts {
  isDoubted(tenant: string, issue: string, time: number): boolean;
  set(tenant: string, issue: string, time: number): void;
  /** Doubts the answers about every issue. */
  setAll(time: number): void;
}

export function createDoubts(most = MAX_KNOWN_ANSWERS): Doubts {
  let allDoubtedAt = Number.NEGATIVE_INFINITY;
  /** The last dropped doubt of each tenant. It applies to all issues of the tenant that are not in `doubted`. */
  const tenantDoubtedAt = new Map<string, number>();
  const tenantDoubtedAtOf = (tenant: string) => tenantDoubtedAt.get(tenant) ?? Number.NEGATIVE_INFINITY;
  const doubted = createFairCache<number>(most, (tenant, time) => {
    tenantDoubtedAt.set(tenant, Math.max(tenantDoubtedAtOf(tenant), time));
  });
  return {
    isDoubted: (tenant, issue, time) =>
      time <=
      Math.max(allDoubtedAt, tenantDoubtedAtOf(tenant), doubted.peek(tenant, issue) ?? Number.NEGATIVE_INFINITY),
    set: (tenant, issue, time) => doubted.set(tenant, issue, time),
    setAll(time) {
      allDoubtedAt = Math.max(allDoubtedAt, time);
    },
  };
}
