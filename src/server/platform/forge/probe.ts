import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { edition } from '../../../domain/edition.ts';
import { allPermissionKeys, hostPermissions } from '../../../domain/permissions.ts';
import { readAs, readJson } from '../../../domain/shape.ts';
import { progressFields, textField } from '../../../platform/product.ts';
import { Refused } from '../../errors/refused.ts';
import { readInput, Unauthorized } from '../../errors/request.ts';
import type { Limits } from '../../quota/limits.ts';
import type { Tenant } from '../tenants.ts';
import { endpointOf, platformOf } from '../tracker/endpoint.ts';
import { fieldMovePath } from '../tracker/field-moves.ts';
import { isIssueId, issuePath } from '../tracker/issue.ts';
import { type Received, type Send, send as sendOver } from '../tracker/send.ts';
import { CLIENT_KEY_PATH } from './client-key.ts';
import type { Forge } from './forge.ts';
import { adviceFor } from './probe-advice.ts';

export interface ProbeOptions {
  forge: Pick<Forge, 'sites' | 'askers'>;
  limits: Pick<Limits, 'authenticate'>;
  /** The developer sends it as `Authorization: Bearer {secret}`. */
  secret: string;
  send?: Send;
  now?(): number;
}

const query = v.object({
  /** Cloud id of the site, id of an issue there, and account of a user with a token. */
  site: v.pipe(v.string(), v.uuid()),
  issue: v.pipe(v.string(), v.check(isIssueId, 'Expected an id of an issue')),
  account: v.optional(v.string()),
  /** Key of a portal request. */
  request: v.optional(v.pipe(v.string(), v.regex(/^\w+-\d+$/))),
  /** Key of a project in which holders of a permission are searched. */
  project: v.optional(v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]*$/))),
  /** `1` starts the tasks that move the data of Connect's fields. */
  migrate: v.optional(v.literal('1')),
});
type Query = v.InferOutput<typeof query>;

interface Probed {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  json?: unknown;
  /** The path is of the platform's API, not of the site's. */
  isOfPlatform?: true;
}

/** The vendor's closed account for tests (Forge, "User privacy guidelines"). */
const CLOSED_ACCOUNT = '5be24ba3f91c106033269289';

/** Fields of the Connect add-on, by module, whose data the platform moves by a task. */
const connectFields = [textField.key, ...progressFields.map(({ key }) => key)];
const migrationOf = (field: string) => fieldMovePath(edition.key, field);
const migrationName = (field: string) => `migration ${field}`;

const CALL_TIMEOUT_MS = 10_000;

const holdersIn = (project: string): Probed => ({
  ...{ name: 'findHolders', method: 'GET' },
  path: `/rest/api/3/user/permission/search?permissions=EDIT_ISSUES&projectKey=${project}&query=&maxResults=1000`,
});

/** Calls whose behaviour or cost only a real site shows. Writes go to a property of the probe. */
function callsOn({ issue, account, request, project, migrate }: Query): Probed[] {
  const probeProperty = `${issuePath(issue)}/properties/${encodeURIComponent(`${edition.key}.probe`)}`;
  const swap = `/rest/api/3/issue/properties/${encodeURIComponent(`${edition.key}.probe`)}`;
  // Of an issue without the property: nothing is changed.
  const swapped = (id: string | number) => ({
    value: { probe: true },
    filter: { entityIds: [id], currentValue: { probe: 'never' } },
  });
  const permissionQuery = (permissions: readonly string[]) => ({
    projectPermissions: [{ permissions, issues: [Number(issue)] }],
    globalPermissions: ['ADMINISTER'],
  });
  const check = { method: 'POST', path: '/rest/api/3/permissions/check' } as const;
  return [
    { name: 'readMyself', method: 'GET', path: '/rest/api/2/myself' },
    { name: 'readClientKey', method: 'GET', path: CLIENT_KEY_PATH },
    { name: 'readPermissions', method: 'GET', path: '/rest/api/3/permissions' },
    { name: 'readIssue', method: 'GET', path: `${issuePath(issue)}?expand=names` },
    { name: 'readIssueHistory', method: 'GET', path: `${issuePath(issue)}?fields=project&expand=changelog` },
    { name: 'check, own', ...check, json: permissionQuery(hostPermissions) },
    { name: 'check, our keys', ...check, json: permissionQuery(allPermissionKeys) },
    ...(account === undefined
      ? []
      : [{ name: 'check, accountId', ...check, json: { accountId: account, ...permissionQuery(hostPermissions) } }]),
    { name: 'check, site', ...check, json: { globalPermissions: ['ADMINISTER'] } },
    { name: 'check, empty list', ...check, json: { projectPermissions: [], globalPermissions: ['ADMINISTER'] } },
    ...(project === undefined ? [] : [holdersIn(project)]),
    // Without a field both leave the issue as it is.
    { name: 'writeField, quiet', method: 'PUT', path: `${issuePath(issue)}?notifyUsers=false`, json: { fields: {} } },
    { name: 'writeField, loud', method: 'PUT', path: issuePath(issue), json: { fields: {} } },
    { name: 'swapProperty, number', method: 'PUT', path: swap, json: swapped(Number(issue)) },
    { name: 'swapProperty, text', method: 'PUT', path: swap, json: swapped(issue) },
    {
      ...{ name: 'reportAccounts', method: 'POST', path: '/app/report-accounts', isOfPlatform: true },
      json: { accounts: [{ accountId: CLOSED_ACCOUNT, updatedAt: '2026-01-01T00:00:00.000Z' }] },
    },
    ...connectFields.map(
      (field): Probed => ({
        ...{ name: migrationName(field), method: migrate === undefined ? 'GET' : 'POST', path: migrationOf(field) },
      }),
    ),
    { name: 'listFields', method: 'GET', path: '/rest/api/2/field' },
    { name: 'searchIssues', method: 'GET', path: `/rest/api/2/search/jql?jql=id%20%3D%20${issue}&maxResults=1` },
    {
      ...{ name: 'readLines', method: 'POST', path: '/rest/api/3/issue/bulkfetch' },
      json: { issueIdsOrKeys: [issue], fields: ['summary'] },
    },
    {
      ...{ name: 'readChangelogs', method: 'POST', path: '/rest/api/3/changelog/bulkfetch' },
      json: { issueIdsOrKeys: [issue], maxResults: 10 },
    },
    { name: 'writeProperty', method: 'PUT', path: probeProperty, json: { probe: true } },
    { name: 'dropProperty', method: 'DELETE', path: probeProperty },
    ...(request === undefined
      ? []
      : [{ name: 'readRequest', method: 'GET', path: `/rest/servicedeskapi/request/${request}` } as const]),
  ];
}

const LIMIT_HEADERS = ['RateLimit', 'Beta-RateLimit', 'X-RateLimit-Remaining', 'RateLimit-Reason', 'Retry-After'];
const COLUMNS = ['as', 'call', 'status', 'ms', 'limits before', 'limits after'];

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, index) => Math.max(...rows.map(row => row[index]?.length ?? 0)));
  return rows
    .map(
      row =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const stateShape = v.object({ status: v.pipe(v.string(), v.regex(/^[A-Z_]{1,30}$/)) });

/** The state of a task in an answer, as a word after its status. */
async function stateOf(answer: Received | undefined): Promise<string> {
  const state = answer && readAs(stateShape, readJson(await answer.text().catch(() => '')))?.status;
  return state === undefined ? '' : ` ${state}`;
}

const hash = (text: string) => createHash('sha256').update(text).digest();

/** `GET /forge/probe` for developers, for the first test on a real site: makes calls and reports their responses. */
export function probeRoute(app: FastifyInstance, options: ProbeOptions): void {
  const { forge, limits, secret, send = sendOver, now = Date.now } = options;
  const expected = hash(`Bearer ${secret}`);

  /** Makes calls in sequence with one token. Reports the limits in the response before each call and in its own. */
  async function probe(as: string, gateway: string, token: string, calls: readonly Probed[]): Promise<string[][]> {
    const rows: string[][] = [];
    let before = '-';
    for (const { name, method, path, json, isOfPlatform } of calls) {
      const headers = {
        ...{ accept: 'application/json', authorization: `Bearer ${token}` },
        ...(json !== undefined && { 'content-type': 'application/json' }),
      };
      const body = json === undefined ? null : JSON.stringify(json);
      const begun = now();
      const root = isOfPlatform ? platformOf(gateway) : gateway;
      const answer = await send(new URL(root + path), { method, headers, body, time: CALL_TIMEOUT_MS }).catch(
        () => undefined,
      );
      const limits = LIMIT_HEADERS.flatMap(limit => {
        const value = answer?.headers.get(limit);
        return value ? `${limit}: ${value}` : [];
      });
      const after = limits.join(', ') || '-';
      const state = name.startsWith('migration') ? await stateOf(answer) : '';
      rows.push([as, name, String(answer?.status ?? 'none') + state, String(now() - begun), before, after]);
      before = after;
    }
    return rows;
  }

  /** Probes as the app, and as the account. */
  async function rowsOf(tenant: Tenant, probeQuery: Query): Promise<string[][]> {
    const endpoint = endpointOf(tenant, now());
    if (endpoint?.kind !== 'gateway') return [['app', 'no good token']];
    const calls = callsOn(probeQuery);
    const { account } = probeQuery;
    const rows = await probe('app', endpoint.url, endpoint.token, calls);
    if (account === undefined) return rows;
    try {
      const token = await forge.askers?.tokenOf(tenant, account);
      return token === undefined ? rows : [...rows, ...(await probe('asker', endpoint.url, token, calls))];
    } catch (error) {
      return [...rows, ['asker', error instanceof Error ? error.message : 'no token']];
    }
  }

  app.get('/forge/probe', async (request, reply) => {
    await limits.authenticate(request, async () => {
      if (!timingSafeEqual(hash(request.headers.authorization ?? ''), expected)) throw new Unauthorized('probe');
    });
    const probeQuery = readInput(query, request.query);
    const tenant = await forge.sites.find(probeQuery.site);
    if (!tenant) throw new Refused('NOT_FOUND', 'There is no such site.');
    const rows = await rowsOf(tenant, probeQuery);
    const statuses = new Map(
      rows.map(([as = '', call = '', status = '']) => [`${as} ${call}`, Number.parseInt(status, 10)]),
    );
    const advice = adviceFor((call, as = 'app') => statuses.get(`${as} ${call}`), connectFields.map(migrationName));
    const text = [tableOf([COLUMNS, ...rows]), ...advice.map(words => `${words}\n`)].join('\n');
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(text);
  });
}
