import * as v from 'valibot';
import { integerText, parseAs, readAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

/** The platform's limit of accounts in one report. */
export const MAX_REPORTED = 90;

/** A stored account, and the time since which its data is up to date. */
export interface ReportedAccount {
  accountId: string;
  updatedAt: Date;
}

/** The platform's demands in its answer to a report. */
export interface Report {
  /** Accounts to erase, and accounts whose data is to be read again. */
  closed: string[];
  updated: string[];
  /** Days until the next report, if the platform says so. */
  days: number | undefined;
}

const answerShape = v.object({
  accounts: v.array(v.object({ accountId: v.string(), status: v.string() })),
});
const daysShape = v.pipe(integerText, v.minValue(1), v.maxValue(365));

/** Reports at most `MAX_REPORTED` accounts (Forge, "User privacy guidelines"). Throws `TrackerRefused`. */
export async function reportAccounts(tracker: Tracker, accounts: readonly ReportedAccount[]): Promise<Report> {
  const answer = await tracker({
    name: 'reportAccounts',
    method: 'POST',
    path: '/app/report-accounts',
    ofPlatform: { connectPath: '/rest/atlassian-connect/latest/report-accounts' },
    json: { accounts: accounts.map(({ accountId, updatedAt }) => ({ accountId, updatedAt: updatedAt.toISOString() })) },
  });
  if (answer.status !== 200 && answer.status !== 204) throw new TrackerRefused('reportAccounts', answer);
  const reportedAccounts = answer.status === 200 ? parseAs(answerShape, answer.body).accounts : [];
  const named = (demandedStatus: string) =>
    reportedAccounts.flatMap(({ accountId, status }) => (status === demandedStatus ? accountId : []));
  return {
    ...{ closed: named('closed'), updated: named('updated') },
    days: readAs(daysShape, answer.header?.('cycle-period')),
  };
}
