import { Overloaded } from '../errors/unavailable.ts';

/** Whose work it is. */
export interface Owner {
  tenant: { id: string };
  /** '' for work that no account requested. */
  account: string;
}

/** How many long computations may be queued or running, for each account and each tenant. */
export const MAX_WAITING = { account: 16, tenant: 64 } as const;
/** Refused work may be requested again after this time. */
const RETRY_AFTER_SECONDS = 5;

type RunOwned = <T>(owner: Owner, work: () => Promise<T>) => Promise<T>;

/** Gives out a number of slots, in turns of tenants, and for each tenant in turns of its accounts. */
export interface Turns {
  /** Counts work until it ends. Rejects with `Overloaded` if too much work of its owner waits. */
  count: RunOwned;
  /** Runs work when its owner has a slot. The work must not take another slot. */
  take: RunOwned;
}

export function createTurns(slots: number): Turns {
  const counts = new Map<string, number>();
  /** Functions that begin the waiting works, by tenant and account. Those whose turn is next come first. */
  const queues = new Map<string, Map<string, (() => void)[]>>();
  let free = slots;

  function startNext(): void {
    for (const [tenant, accounts] of queues) {
      if (free === 0) return;
      const [next] = accounts;
      if (!next) throw new Error('A tenant without work is in the queue.');
      const [account, [begin, ...later]] = next;
      // An owner with more work goes behind the others; a loop over a map meets it again.
      accounts.delete(account);
      queues.delete(tenant);
      if (later.length > 0) accounts.set(account, later);
      if (accounts.size > 0) queues.set(tenant, accounts);
      free -= 1;
      begin?.();
    }
  }

  const slot = ({ tenant: { id }, account }: Owner): Promise<void> =>
    new Promise(begin => {
      const accounts = queues.get(id) ?? new Map<string, (() => void)[]>();
      accounts.set(account, [...(accounts.get(account) ?? []), begin]);
      queues.set(id, accounts);
      startNext();
    });

  return {
    async count({ tenant: { id }, account }, work) {
      const limits = [[id, MAX_WAITING.tenant] as const, [`${id} ${account}`, MAX_WAITING.account] as const];
      if (limits.some(([key, most]) => (counts.get(key) ?? 0) >= most))
        throw new Overloaded('Too many computations wait.', RETRY_AFTER_SECONDS, { isUntried: true });
      for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1);
      try {
        return await work();
      } finally {
        for (const [key] of limits) {
          const remainingCount = (counts.get(key) ?? 0) - 1;
          if (remainingCount > 0) counts.set(key, remainingCount);
          else counts.delete(key);
        }
      }
    },
    async take(owner, work) {
      await slot(owner);
      try {
        return await work();
      } finally {
        free += 1;
        startNext();
      }
    },
  };
}
