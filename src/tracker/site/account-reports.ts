import * as v from 'valibot';

const MAX_REPORTED = 90;

/** A report of the accounts that an app stores ("User privacy guidelines"). */
export const accountReport = v.object({
  accounts: v.pipe(
    v.array(v.object({ accountId: v.string(), updatedAt: v.pipe(v.string(), v.isoTimestamp()) })),
    v.minLength(1),
    v.maxLength(MAX_REPORTED),
    // The platform's word for an account that cannot be named.
    v.check(accounts => accounts.every(({ accountId }) => accountId !== 'unknown'), 'An unknown account was reported.'),
  ),
});

/** Accounts that were closed, or whose profiles have changed. */
interface AccountStates {
  closedAccounts: readonly string[];
  updatedAccounts: readonly string[];
}

/** The reported accounts with which the app has something to do; `undefined` if there are none. */
export function answerReport(
  { accounts }: v.InferOutput<typeof accountReport>,
  { closedAccounts, updatedAccounts }: AccountStates,
): { accounts: { accountId: string; status: string }[] } | undefined {
  const named = accounts.flatMap(({ accountId }) => {
    if (closedAccounts.includes(accountId)) return { accountId, status: 'closed' };
    return updatedAccounts.includes(accountId) ? { accountId, status: 'updated' } : [];
  });
  return named.length > 0 ? { accounts: named } : undefined;
}
