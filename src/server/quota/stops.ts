import { APP_POOL } from './ledger.ts';
import type { Scope } from './reaction.ts';

/** The parts of a call that decide its limits. */
export interface LimitedCall {
  method: string;
  /** From the product's root. */
  path: string;
}

/** Key of a stop in the ledger. */
export interface Stop {
  tenant: string;
  subject: string;
}

/** A path with placeholders for ids and property keys. */
const patternOf = (path: string): string =>
  path.replace(/\/\d+(?=\/|$)/g, '/{id}').replace(/\/properties\/[^/]+/, '/properties/{key}');

const issueOf = (path: string): string | undefined => /\/issue\/(\d+)(?:\/|$)/.exec(path)?.[1];

/** Subject of a stop of all calls of a pool or a site. */
export const ALL_CALLS = 'all';

/** The stop of this scope after a call's response. */
export function stoppedBy(scope: Scope, tenant: string, pool: string, { method, path }: LimitedCall): Stop {
  const issue = issueOf(path);
  switch (scope) {
    case 'pool':
      return { tenant: pool, subject: ALL_CALLS };
    case 'tenant':
      return { tenant, subject: ALL_CALLS };
    case 'issue':
      if (issue !== undefined) return { tenant, subject: `issue ${issue}` };
      break;
    case 'endpoint':
  }
  return { tenant, subject: `${method} ${patternOf(path)}` };
}

/** All stops that apply to a call. Limits per issue apply to writes only. */
export function stopsOf(tenant: string, pool: string, { method, path }: LimitedCall): Stop[] {
  const issue = method === 'GET' ? undefined : issueOf(path);
  return [
    { tenant: pool, subject: ALL_CALLS },
    ...(pool === APP_POOL ? [{ tenant, subject: ALL_CALLS }] : []),
    { tenant, subject: `${method} ${patternOf(path)}` },
    ...(issue === undefined ? [] : [{ tenant, subject: `issue ${issue}` }]),
  ];
}

/** Subject of waiting work: the issue, or the name of the call. */
export const subjectOf = ({ path, name }: LimitedCall & { name: string }): string => issueOf(path) ?? name;
