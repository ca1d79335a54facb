import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { edition } from '../../../domain/edition.ts';
import { allPermissionKeys, hostPermissions } from '../../../domain/permissions.ts';
import type { Limits } from '../../common/limits.ts';
import { readInput, Unauthorized } from '../../errors/request.ts';
import type { Tenant } from '../tenants.ts';
import { endpointOf } from '../tracker/endpoint.ts';
import { isIssueId, issuePath } from '../tracker/issue.ts';
import { type Send, send as sendOver } from '../tracker/send.ts';
import { CLIENT_KEY_PATH } from './client-key.ts';
import type { Forge } from './forge.ts';

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
});
type Query = v.InferOutput<typeof query>;

interface Probed {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  json?: unknown;
}

/** Timeout of a call in milliseconds. */
const TIMEOUT = 10_000;

/** Calls whose behaviour or cost only a real site shows. Writes go to a property of the probe. */
function callsOn({ issue, account, request }: Query): Probed[] {
  const own = `${issuePath(issue)}/properties/${encodeURIComponent(`${edition.key}.probe`)}`;
  const asked = (permissions: readonly string[]) => ({
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
    { name: 'check, own', ...check, json: asked(hostPermissions) },
    { name: 'check, our keys', ...check, json: asked(allPermissionKeys) },
    ...(account === undefined
      ? []
      : [{ name: 'check, accountId', ...check, json: { accountId: account, ...asked(hostPermissions) } }]),
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
    { name: 'writeProperty', method: 'PUT', path: own, json: { probe: true } },
    { name: 'dropProperty', method: 'DELETE', path: own },
    ...(request === undefined
      ? []
      : [{ name: 'readRequest', method: 'GET', path: `/rest/servicedeskapi/request/${request}` } as const]),
  ];
}

const LIMITS = ['RateLimit', 'Beta-RateLimit', 'X-RateLimit-Remaining', 'RateLimit-Reason', 'Retry-After'];
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

const hash = (text: string) => createHash('sha256').update(text).digest();

/** `GET /forge/probe` for developers, for the first test on a real site: makes calls and reports their responses. */
export function probeRoute(app: FastifyInstance, options: ProbeOptions): void {
  const { forge, limits, secret, send = sendOver, now = Date.now } = options;
  const expected = hash(`Bearer ${secret}`);

  /** Makes calls in sequence with one token. Reports the limits in the response before each call and in its own. */
  async function probe(as: string, gateway: string, token: string, calls: readonly Probed[]): Promise<string[][]> {
    const rows: string[][] = [];
    let before = '-';
    for (const { name, method, path, json } of calls) {
      const headers = {
        ...{ accept: 'application/json', authorization: `Bearer ${token}` },
        ...(json !== undefined && { 'content-type': 'application/json' }),
      };
      const body = json === undefined ? null : JSON.stringify(json);
      const begun = now();
      const answer = await send(new URL(gateway + path), { method, headers, body, time: TIMEOUT }).catch(
        () => undefined,
      );
      const limits = LIMITS.flatMap(limit => {
        const value = answer?.headers.get(limit);
        return value ? `${limit}: ${value}` : [];
      });
      const after = limits.join(', ') || '-';
      rows.push([as, name, String(answer?.status ?? 'none'), String(now() - begun), before, after]);
      before = after;
    }
    return rows;
  }

  /** Probes as the app, and as the account. */
  async function rowsOf(tenant: Tenant, asked: Query): Promise<string[][]> {
    const endpoint = endpointOf(tenant, now());
    if (endpoint?.kind !== 'gateway') return [['app', 'no good token']];
    const calls = callsOn(asked);
    const { account } = asked;
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
    const asked = readInput(query, request.query);
    const tenant = await forge.sites.find(asked.site);
    if (!tenant) return reply.code(404).send({ error: 'There is no such site.' });
    const table = tableOf([COLUMNS, ...(await rowsOf(tenant, asked))]);
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(table);
  });
}
