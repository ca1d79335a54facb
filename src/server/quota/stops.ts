import { APP } from './ledger.ts';
import type { Scope } from './reaction.ts';

/** A call as far as it says what limits bind it. */
export interface LimitedCall {
  method: string;
  /** From the product's root. */
  path: string;
}

/** What calls can be stopped for, as the ledger keeps it. */
export interface Stop {
  tenant: string;
  subject: string;
}

/** A path without what differs from one issue, project or property to the next. */
const patternOf = (path: string): string =>
  path.replace(/\/\d+(?=\/|$)/g, '/{id}').replace(/\/properties\/[^/]+/, '/properties/{key}');

const issueOf = (path: string): string | undefined => /\/issue\/(\d+)(?:\/|$)/.exec(path)?.[1];

/** The subject of a stop of all calls of a pool or a site. */
export const ALL = 'all';

/** What a reaction to a call's answer stops. */
export function stoppedBy(scope: Scope, tenant: string, pool: string, { method, path }: LimitedCall): Stop {
  const issue = issueOf(path);
  switch (scope) {
    case 'pool':
      return { tenant: pool, subject: ALL };
    case 'tenant':
      return { tenant, subject: ALL };
    case 'issue':
      if (issue !== undefined) return { tenant, subject: `issue ${issue}` };
      break;
    case 'endpoint':
  }
  return { tenant, subject: `${method} ${patternOf(path)}` };
}

/** Everything that can stop a call. Writes to an issue are limited, reads of it are not. */
export function stopsOf(tenant: string, pool: string, { method, path }: LimitedCall): Stop[] {
  const issue = method === 'GET' ? undefined : issueOf(path);
  return [
    { tenant: pool, subject: ALL },
    ...(pool === APP ? [{ tenant, subject: ALL }] : []),
    { tenant, subject: `${method} ${patternOf(path)}` },
    ...(issue === undefined ? [] : [{ tenant, subject: `issue ${issue}` }]),
  ];
}

/** What waits where a call has to: an issue's work, or all of that name. */
export const subjectOf = ({ path, name }: LimitedCall & { name: string }): string => issueOf(path) ?? name;
