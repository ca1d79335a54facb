import { expect, test } from 'vitest';
import { tableNames } from '../../src/server/store/migrations.ts';
import { full } from '../run/seed.ts';
import { recordedStatements } from '../server/support/statements.ts';
import { isOnRows, unboundTables } from './tenant-bound.ts';

/*
 * Each statement is about one tenant, so that the schema can be spread over servers by tenant (deploy/README.md). Row-level
 * security is not asked: it keeps tenants apart where a statement forgets to, and finds no server.
 */

const tables = new Set(tableNames);

/** Statements across tenants, by text or prefix (before `…`): none is sent for a request. */
const sweeps: Readonly<Record<string, string>> = {
  'select "tenant" from "tenant"': 'which tenants there are, for work at start, every ten minutes, and for an export',
  'with running as materialized ( select tenant, key from queue where …': 'claims due jobs, tenants in turn',
  'update queue set beat = now() where beat is not null and (tenant, key, name, claim) in ( …': 'heartbeat of own jobs',
  "update queue set beat = null, again = null, failed = 'ProcessLost' where (beat > now() - …": 'gives up lost jobs',
  'select name, case when failed is not null …': 'counts jobs, for metrics',
  "select 'property' as copy, property_refused as reason, …": 'counts copies that are not written, for metrics',
  'select count(*)::integer as overdue from field_move where …':
    'counts moves of fields that are not finished, for metrics',
  'delete from queue where failed is not null and …': 'drops jobs that failed long ago',
  'select tenant, key, name, failed, due from queue where failed …': 'lists failed jobs, for operators',
  'with used as ( insert into quota_use as kept …': 'shares the hour’s points with other processes',
  'delete from quota_use where hour < …': 'drops points of hours that are over',
  'delete from quota_fact where until < …': 'drops what the tracker told of limits that are over',
  'select tenant, issue, extract(epoch from now() - since)…':
    'finds which tokens prove nothing any more, at start (src/server/access/grants.ts)',
  'delete from watch where (beat > now() - …':
    'drops the watch of processes that are gone (src/server/copies/watch.ts)',
  'delete from watch where origin <> …': 'drops the watch of the database before a switch to another one',
  'select demand(exists (select from watch where id = …': 'a job’s, that the watch is still that of this database',
  'select id, since from watch …': 'finds the watch that other processes keep',
  'insert into watch …': 'joins it',
  'update watch set beat = now() where …': 'heartbeat of the own process',
  "delete from watch where tenant = '' and process = …": 'ends it with the process',
  'select "tenant" from "forge_site" where "cloud_id" = …': 'finds the tenant of a site on Forge, once a process',
  'select "tenant" from "tenant" where "installation" = …': 'finds out which tenant a new site on Forge is',
  'select "tenant" from "tenant" where "url" = …': 'likewise',
  'select "tenant" from "webhook" where "id" = …': 'finds the tenant of an incoming webhook, once a process',
  'select count(*) as "count" from "forge_site" where …': 'counts sites on Forge whose tokens end, for metrics',
  'select * from "forge_site" where "enabled" = $1 and "seen" < …': 'looks for sites on Forge that are gone',
  'delete from "forge_asker" where "until" < …': 'drops tokens that have ended',
  'insert into … select * from json_populate_recordset(…': 'an import, of rows that an export of one tenant wrote',
  // By which tests of row-level security show that it alone keeps tenants apart.
  'select * from "tenant"': 'test/server/store',
  'update "tenant" set "enabled" = $1': 'test/server/store',
  'delete from "tenant"': 'test/server/store',
};

/** Those that only tests of the nightly run send (test/run/night.ts). */
const nightly = ['insert into … select * from json_populate_recordset(…'];

const spaced = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

function sweepOf(text: string): string | undefined {
  return Object.keys(sweeps).find(sweep => {
    const parts = sweep.split('…');
    if (parts.length === 1) return text === sweep;
    let at = 0;
    return parts.every((part, index) => {
      const found = text.indexOf(part, at);
      at = found + part.length;
      return index === 0 ? found === 0 : found >= 0;
    });
  });
}

test('every statement that the tests of the server sent names its tenant, but the sweeps', async () => {
  const seen = new Set<string>();
  const foreign: { text: string; unbound: string[] }[] = [];
  let count = 0;
  for (const text of recordedStatements()) {
    if (!(await isOnRows(text))) continue;
    count += 1;
    const unbound = await unboundTables(text, tables);
    if (unbound.length === 0) continue;
    const sweep = sweepOf(spaced(text));
    if (sweep === undefined) foreign.push({ text: spaced(text), unbound });
    else seen.add(sweep);
  }
  expect(foreign).toEqual([]);
  expect(count, 'Run it together with the tests of the server.').toBeGreaterThan(100);
  expect(new Set([...seen, ...(full ? [] : nightly)])).toEqual(new Set(Object.keys(sweeps)));
});

const read = ['revision', 'template'];

test.each([
  'select text from revision where tenant = $1 and issue = $2',
  'select r.text from revision r join template t on t.tenant = r.tenant where r.tenant = $1',
  'select r.text from revision r left join template t on t.tenant = $1 where r.tenant = $1',
  'select (select max(seq) from revision where tenant = t.tenant) from template t where t.tenant = $1::text',
  'select text from revision where (tenant, issue) = ($1, $2)',
  'with found as (select tenant, id from template where tenant = $1) select text from revision r join found f on f.tenant = r.tenant',
  'select text from template t, lateral (select text from revision where tenant = t.tenant limit 1) r where t.tenant = $1',
  'insert into template (tenant, id) values ($1, $2), ($3, $4) on conflict (tenant, id) do update set name = excluded.name',
  'insert into template (id, tenant) select issue, tenant from revision where tenant = $1',
  'insert into template (tenant, id) select $1, id from unnest($2::text[]) as ids(id)',
  'update template t set name = r.name from revision r where r.tenant = t.tenant and t.tenant = $1',
  'delete from template using revision r where template.tenant = $1 and r.tenant = template.tenant',
  'declare rows no scroll cursor for select text from revision where tenant = $1',
  'with gone as (delete from template where tenant = $1 returning tenant) select text from revision r join gone g on g.tenant = r.tenant',
  'select relname from pg_class',
])('is about one tenant: %s', async text => {
  expect(await unboundTables(text, tables)).toEqual([]);
});

test.each([
  ['select text from revision', ['revision']],
  ['select text from revision where tenant is not null', ['revision']],
  ['select text from revision where issue = $1', ['revision']],
  ['select text from revision where tenant = $1 or issue = $2', ['revision']],
  ['select text from revision where not tenant = $1', ['revision']],
  ['select text from revision where tenant in (select tenant from template where tenant = $1)', ['revision']],
  ["select text from revision where tenant = 'one'", ['revision']],
  ['select text from revision where (issue, tenant) = ($1, issue)', ['revision']],
  ['select r.text from revision r join template t on t.tenant = r.tenant', read],
  ['select r.text from revision r left join template t on r.tenant = $1 and t.tenant = $1', ['revision']],
  ['select r.text from revision r, template t where r.tenant = $1', ['template']],
  ['select text from revision where tenant = $1 union all select text from template', ['template']],
  ['select (select max(seq) from revision) from template where tenant = $1', ['revision']],
  ['select text from revision r where tenant = $1 and exists (select from template where id = r.issue)', ['template']],
  [
    'with found as (select tenant, id from template) select text from revision r join found f on f.tenant = r.tenant',
    read,
  ],
  ['with gone as (delete from template where id = $1 returning tenant) select from gone', ['template']],
  ['insert into template (id) values ($1)', ['template']],
  ['insert into template values ($1)', ['template']],
  ["insert into template (id, tenant) values ($1, $2), ($3, 'one')", ['template']],
  ['insert into template (id, tenant) select issue, tenant from revision', read],
  ['insert into template (id, tenant) select tenant, issue from revision where tenant = $1', ['template']],
  ['update template t set name = r.name from revision r where t.tenant = $1', ['revision']],
  ['update template set tenant = $1 where id = $2', ['template']],
  ['delete from template using revision r where template.id = r.issue and r.tenant = $1', ['template']],
])('is found: %s', async (text, unbound) => {
  expect(await unboundTables(text, tables)).toEqual(unbound);
});
