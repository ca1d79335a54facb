/** The parts of a call that its cost depends on. */
export interface CostedCall {
  query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  json?: unknown;
}

interface Cost<Method extends string> {
  method: Method;
  /** Points before the answer is known: the likely maximum. */
  estimate(call: CostedCall): number;
  /** Points by the body of a successful response, if they depend on it. */
  counted?(body: unknown): number;
}

const fixed = <Method extends string>(method: Method, points: number): Cost<Method> => ({
  method,
  estimate: () => points,
});

const CALL_POINTS = 1;
const IDENTITY_POINTS = 2;

const writeCost = <Method extends 'PUT' | 'POST'>(method: Method) => fixed(method, CALL_POINTS);
/** A read of one issue, project or list of configuration. */
const readCost = fixed('GET', CALL_POINTS + 1);

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A read of several objects that cost `each` points; the response has them as its member `key`. */
const several = <Method extends 'GET' | 'POST'>(
  method: Method,
  most: (call: CostedCall) => number,
  key?: string,
  each = 1,
): Cost<Method> => ({
  method,
  estimate: call => CALL_POINTS + each * most(call),
  counted: body => CALL_POINTS + each * lengthOf(key === undefined ? body : member(body, key)),
});

const pageSize = ({ query }: CostedCall): number => Number(query?.maxResults ?? 0);
const askedIds = ({ json }: CostedCall): number => lengthOf(member(json, 'issueIdsOrKeys'));

const LIKELY_HOLDERS = 50;

/**
 * Every call that the server makes, with its method and points (docs/decisions/quota.md): 1 for a call, in reads 1 more for
 * each core object and 2 for each user. Lists of configuration are counted as one object, as field figures say;
 * `permissions/check` is not documented.
 */
export const costs = {
  checkPermissions: fixed('POST', 3),
  countIssues: fixed('POST', CALL_POINTS),
  findIssue: readCost,
  // It looks at a thousand accounts and returns those with the permission, mostly few.
  findHolders: several('GET', () => LIKELY_HOLDERS, undefined, IDENTITY_POINTS),
  findProject: readCost,
  listFields: readCost,
  listProjects: several('GET', pageSize, 'values'),
  makeIssue: writeCost('POST'),
  readChangelog: readCost,
  readClientKey: readCost,
  readChangelogs: several('POST', askedIds, 'issueChangeLogs'),
  readFieldMove: readCost,
  readIssue: readCost,
  readIssues: several('POST', askedIds, 'issues'),
  readDone: readCost,
  readKey: readCost,
  readLines: several('POST', askedIds, 'issues'),
  readLinkTypes: readCost,
  readMark: readCost,
  readMyself: fixed('GET', CALL_POINTS + IDENTITY_POINTS),
  readNames: several('GET', pageSize, 'values', IDENTITY_POINTS),
  readPermissions: readCost,
  readProject: readCost,
  readSource: readCost,
  readIssueHistory: readCost,
  readTypes: readCost,
  readWorkflowRules: several('GET', pageSize, 'values'),
  readWorkflowScheme: readCost,
  // Not of the product's API, whose points it does not use; counted all the same.
  reportAccounts: writeCost('POST'),
  searchIssues: several('GET', pageSize, 'issues'),
  sendNotification: writeCost('POST'),
  swapProperty: writeCost('PUT'),
  writeField: writeCost('PUT'),
  writeProjectProperty: writeCost('PUT'),
  writeProperty: writeCost('PUT'),
} satisfies Record<string, Cost<'GET' | 'PUT' | 'POST'>>;

export type CallName = keyof typeof costs;

/** A call's name with the only method that it has. */
export type NamedCall = { [Name in CallName]: { name: Name; method: (typeof costs)[Name]['method'] } }[CallName];

const costOf = (name: CallName): Cost<string> => costs[name];

export const estimatedPoints = ({ name, ...call }: CostedCall & { name: CallName }): number =>
  costOf(name).estimate(call);

/** Points by a response; `undefined` if the estimate stays. A refused call has read nothing. */
export function countedPoints(name: CallName, { status, body }: { status: number; body: unknown }): number | undefined {
  return status >= 300 ? CALL_POINTS : costOf(name).counted?.(body);
}
