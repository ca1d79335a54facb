import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { settings as messages, refusals } from '../../../../src/domain/messages.ts';
import { FORMER_USER, formerAccount } from '../../../../src/domain/person.ts';
import {
  accountColumns,
  isPerson,
  storedAccounts,
  textColumns,
} from '../../../../src/server/jobs/people/stored-accounts.ts';
import { erasePerson, mentionOf } from '../../../../src/text/edits/erase-person.ts';
import { readChecklist } from '../../../../src/text/read.ts';
import { builtIn } from '../../../../src/text/status-registry.ts';
import { startApp } from '../../support/app.ts';
import { askAs, refused } from '../../support/ask.ts';
import { EDITOR, newIssue, update, workOn } from '../../support/checklists.ts';
import { type ForgeApp, newSite, startForge } from '../../support/forge.ts';
import { provokes } from '../../support/left-behind.ts';
import { putTemplate } from '../../support/put-template.ts';
import { onStore } from '../../support/stores.ts';

const GONE = '5be24ba3f91c106033269289';
const STAYS = '5b10a2844c20165700ede21a';

test('an erased text has as many rows, none of which mentions the person', () => {
  const word = fc.constantFrom(
    mentionOf(GONE),
    mentionOf(STAYS),
    'a',
    '-',
    '+ ',
    '> ',
    '#',
    '\n',
    '\n- ',
    '2026-11-29',
    '`',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), words => {
      const text = words.join('');
      const erased = erasePerson(text, GONE);
      const rowsOf = (of: string) => readChecklist(of, builtIn).rows;
      expect(erased).not.toContain(GONE);
      expect(erased.split(mentionOf(STAYS))).toHaveLength(text.split(mentionOf(STAYS)).length);
      expect(rowsOf(erased).map(({ kind }) => kind)).toEqual(rowsOf(text).map(({ kind }) => kind));
    }),
  );
});

onStore(use => {
  let app: ForgeApp;
  let reports: { accountId: string; updatedAt: string }[][] = [];
  /** The platform's answers to reports, by account; and the days of its cycle. */
  let statuses: Record<string, 'closed' | 'updated'> = {};
  let cycle = '3';
  let refusal: number | undefined;

  beforeEach(async () => {
    app = await startForge(use());
    [reports, statuses, cycle, refusal] = [[], {}, '3', undefined];
    app.forge.past = { key: app.it.tenant.id };
    await app.signIn(newSite(), { account: GONE, userToken: app.userToken(GONE) });
    app.forge.fault = path => {
      if (path !== '/app/report-accounts') return undefined;
      if (refusal !== undefined) return new Response('{}', { status: refusal });
      const { body } = app.forge.calls.at(-1) ?? {};
      const { accounts } = body as { accounts: (typeof reports)[number] };
      reports.push(accounts);
      const found = accounts.flatMap(({ accountId }) => {
        const status = statuses[accountId];
        return status ? { accountId, status } : [];
      });
      const headers = { 'cycle-period': cycle };
      return found.length > 0
        ? Response.json({ accounts: found }, { headers })
        : new Response(null, { status: 204, headers });
    };
    return () => app.it.app.close();
  });

  const run = { signal: new AbortController().signal, lastTry: false };
  const report = () => app.it.jobs['report-people']({ tenant: app.it.tenant.id }, run);
  const due = async () => {
    const [row] = await use().raw(
      'select days, refused, round(extract(epoch from due - now()) / 86400)::int as wait from report_cycle where tenant = $1',
      [app.it.tenant.id],
    );
    return row;
  };
  const pass = () => use().raw('update report_cycle set due = now() where tenant = $1', [app.it.tenant.id]);

  /** Everything that the database holds of the site, as text. */
  async function stored(): Promise<string> {
    const tables = await use().raw(
      `select table_name as name from information_schema.columns
       where table_schema = current_schema() and column_name = 'tenant' order by 1`,
    );
    const rows = [];
    for (const { name } of tables)
      rows.push(...(await use().raw(`select * from ${name} where tenant = $1`, [app.it.tenant.id])));
    return JSON.stringify(rows);
  }

  /** A site in which a person wrote, was mentioned and assigned, and left traces of each kind. */
  async function filled() {
    const { it } = app;
    const issue = await newIssue(it, EDITOR, GONE);
    await issue.edit(update(`- a ${mentionOf(GONE)}\n- b ${mentionOf(STAYS)}\n> ask ${mentionOf(GONE)}`));
    const other = await workOn(it, issue.id, STAYS);
    it.tracker.granted.set(STAYS, EDITOR);
    await other.edit(
      update(`- a ${mentionOf(GONE)} 2026-12-24\n- b ${mentionOf(STAYS)}\n> ask ${mentionOf(GONE)}\n- c`),
    );
    await it.settled();
    const tenant = it.tenant.id;
    await use().store.tenant(tenant, tx =>
      putTemplate(tx, tenant, GONE, { id: 't', project: null, name: 'Template', text: `- x ${mentionOf(GONE)}` }),
    );
    const raw = (sql: string) => use().raw(sql, [tenant, GONE]);
    await raw('insert into person (tenant, account, zone) values ($1, $2, $$Europe/Berlin$$)');
    await raw('insert into presence (tenant, issue, stream, account, expires) values ($1, $$1$$, $$s$$, $2, now())');
    await raw('insert into presence_place (tenant, issue, account, row, mark) values ($1, $$1$$, $2, 0, $$m$$)');
    await raw('insert into notification_mute (tenant, account, issue) values ($1, $2, $$1$$)');
    await raw(
      'insert into notification (tenant, account, issue, row, kind) values ($1, $2, $$1$$, $$r$$, $$ASSIGNED$$)',
    );
    await raw('update sync set actors = array[$2] where tenant = $1');
    await raw(`insert into webhook_call (tenant, webhook, id, event, body)
      values ($1, 'w', '1', 'e', jsonb_build_object('author', $2::text)::text)`);
    await raw(`insert into queue (tenant, key, name, data, due) values ($1, 'digest ' || $2, 'send-digest',
      jsonb_build_object('tenant', $1::text, 'account', $2::text), now() + interval '1 day')`);
    return issue;
  }

  test('every column of an account, and every one with text, is known', async () => {
    const columns = await use().raw(
      `select table_name as table, column_name as column from information_schema.columns c
       where table_schema = current_schema() and data_type in ('text', 'jsonb', 'ARRAY')
         and column_name in ('account', 'assigner', 'author', 'owner', 'user', 'text', 'name', 'summary', 'section',
           'body', 'conflicts', 'property_seen') order by 1, 2`,
    );
    // Names of things that are no persons; a hash of an account; the copy that the tracker holds.
    const others = [
      'api_token.name',
      'migration.name',
      'quota_use.account',
      'queue.name',
      'status.name',
      'webhook.name',
    ];
    const known = [...accountColumns, ...textColumns].map(({ table, column }) => `${table}.${column}`);
    expect(
      columns
        .map(({ table, column }) => `${table}.${column}`)
        .filter(name => !others.includes(name))
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(known.toSorted((one, other) => one.localeCompare(other)));
  });

  test('all stored accounts of persons are reported, and no others', async () => {
    await filled();
    expect(new Set(await storedAccounts(use().store, app.it.tenant.id))).toEqual(new Set([STAYS, GONE]));
    await report();
    expect(
      reports
        .flat()
        .map(({ accountId }) => accountId)
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual([STAYS, GONE]);
    expect(['unknown', 'anonymous', 'tracker', 'rule:1', 'api:1', formerAccount].filter(isPerson)).toEqual([]);
  });

  test('an account that is mentioned in any one text is reported', async () => {
    provokes({ differences: true });
    await filled();
    const tenant = app.it.tenant.id;
    await use().raw(
      `insert into conversion (tenant, issue, account, client, mark, summary) values ($1, '1', '', '', '', '')`,
      [tenant],
    );
    await use().raw(`insert into webhook_call (tenant, webhook, id, event) values ($1, '', '', '')`, [tenant]);
    await use().raw(
      `insert into template_version (tenant, template, version, account, name, text, items)
       values ($1, 't', 99, '', '', '', 0)`,
      [tenant],
    );
    const place = ({ table, column }: (typeof textColumns)[number]) => `${table}.${column}`;
    for (const [index, { table, column, json }] of textColumns.entries()) {
      const text = `before ${mentionOf(`rare:${index}`)} after`;
      await use().raw(`update ${table} set ${column} = $2 where tenant = $1`, [
        tenant,
        json ? JSON.stringify([{ text }]) : text,
      ]);
    }
    const stored = await storedAccounts(use().store, tenant);
    expect(textColumns.filter((_, index) => !stored.includes(`rare:${index}`)).map(place)).toEqual([]);
  });

  test('reports have 90 accounts at most, and are repeated in the cycle that the platform names', async () => {
    await use().raw(
      `insert into person (tenant, account) select $1, 'person-' || number from generate_series(1, 200) number`,
      [app.it.tenant.id],
    );
    await report();
    expect(reports.map(({ length }) => length)).toEqual([90, 90, 21]);
    expect(await due()).toEqual({ days: 3, refused: false, wait: 3 });
    // Not before it is due.
    await report();
    expect(reports).toHaveLength(3);
    await pass();
    await use().raw("update reported_account set reported = now() - interval '3 days'");
    cycle = '7';
    await report();
    expect(reports).toHaveLength(6);
    expect(await due()).toEqual({ days: 7, refused: false, wait: 7 });
  });

  test('a closed account is erased from all that is stored, and from the copies in the tracker', async () => {
    const issue = await filled();
    expect(await stored()).toContain(GONE);
    const wanted = async () => {
      const [row] = await use().raw('select copies_wanted as copies from tenant where tenant = $1', [app.it.tenant.id]);
      return row?.copies;
    };
    const before = await wanted();
    statuses = { [GONE]: 'closed' };
    await report();
    await app.it.settled();
    // Templates that mentioned the person are copied to the projects again.
    expect(await wanted()).toBeGreaterThan(Number(before));
    const text = `- a ${FORMER_USER} 2026-12-24\n- b ${mentionOf(STAYS)}\n> ask ${FORMER_USER}\n- c`;
    expect(await (await workOn(app.it, issue.id, STAYS)).read()).toMatchObject({ text });
    expect(await issue.text()).toBe(text);
    expect(JSON.stringify(app.it.tracker.issues.get(issue.id)?.fields)).not.toContain(GONE);
    expect(await stored()).not.toContain(GONE);
    const history = await use().raw('select account, kind, text from revision where issue = $1 order by seq', [
      issue.id,
    ]);
    expect(history.at(-1)).toMatchObject({ account: 'rule:', kind: 'erasePerson' });
    expect(history[0]).toMatchObject({ account: formerAccount });
    const kept = await use().raw('select account from assigned_item where issue = $1', [issue.id]);
    expect(kept).toEqual([{ account: STAYS }]);
  });

  test('a checklist that cannot be changed keeps no other text from being erased, and is erased by the next try', async () => {
    const [one, other] = [await filled(), await newIssue(app.it, EDITOR, STAYS)];
    await other.edit(update(`- x ${mentionOf(GONE)}`));
    await app.it.settled();
    statuses = { [GONE]: 'closed' };
    const deny = `create function deny() returns trigger language plpgsql as
      $$ begin if new.issue = '${one.id}' then raise 'denied'; end if; return new; end $$`;
    await use().raw(deny);
    await use().raw('create trigger denied before insert on revision for each row execute function deny()');
    try {
      await expect(report()).rejects.toThrow('Not erased completely: 1');
    } finally {
      await use().raw('drop trigger denied on revision');
      await use().raw('drop function deny');
    }
    const [{ text } = {}] = await use().raw('select text from template where tenant = $1', [app.it.tenant.id]);
    expect(text).not.toContain(GONE);
    expect((await other.read()).text).toContain(FORMER_USER);
    expect((await one.read()).text).toContain(mentionOf(GONE));
    await report();
    await app.it.settled();
    expect((await one.read()).text).toContain(FORMER_USER);
    expect(await stored()).not.toContain(GONE);
  });

  test('of an updated account what was cached is read again', async () => {
    await filled();
    statuses = { [GONE]: 'updated' };
    await report();
    expect(
      await use().raw('select zone from person where account = $1 and tenant = $2', [GONE, app.it.tenant.id]),
    ).toEqual([{ zone: null }]);
    const [before] = reports.flat().filter(({ accountId }) => accountId === GONE);
    await pass();
    await use().raw("update reported_account set reported = now() - interval '3 days'");
    statuses = {};
    await report();
    const after = reports.flat().findLast(({ accountId }) => accountId === GONE);
    expect(Date.parse(after?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
  });

  test('an answer about an account that was not reported erases nothing', async () => {
    await filled();
    await report();
    await use().raw(`insert into person (tenant, account) values ($1, 'new-person')`, [app.it.tenant.id]);
    await pass();
    app.forge.fault = () => Response.json({ accounts: [{ accountId: GONE, status: 'closed' }] });
    await report();
    expect(await storedAccounts(use().store, app.it.tenant.id)).toContain(GONE);
  });

  test('a report that the platform refuses is tried again on the next day, and not before', async () => {
    provokes({ errors: /TrackerRefused/ });
    refusal = 403;
    await report();
    expect(await due()).toEqual({ days: 7, refused: true, wait: 1 });
    const calls = app.forge.calls.length;
    await report();
    expect(app.forge.calls).toHaveLength(calls);
  });

  test('a report that ends in the middle goes on with the accounts that are left', async () => {
    await use().raw(
      `insert into person (tenant, account) select $1, 'person-' || number from generate_series(1, 100) number`,
      [app.it.tenant.id],
    );
    const answer = app.forge.fault;
    app.forge.fault = path =>
      path === '/app/report-accounts' && reports.length === 1 ? new Response('{}', { status: 500 }) : answer?.(path);
    await expect(report()).rejects.toThrow('reportAccounts: 500');
    expect(reports.map(({ length }) => length)).toEqual([90]);
    app.forge.fault = answer;
    await report();
    expect(reports.map(({ length }) => length)).toEqual([90, 11]);
  });

  test('an administrator erases a person by hand, and other users cannot', async () => {
    const issue = await filled();
    app.it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
    app.forge.asksForOthers = true;
    app.forge.impersonated.add('admin').add(STAYS);
    const erase = (account: string, accountId: string) =>
      askAs(app.it, account).ask(
        'mutation run($accountId: ID!) { erasePerson(accountId: $accountId) { checklists errors { code field message } } }',
        { accountId },
      );
    expect(await erase(STAYS, GONE)).toMatchObject(refused('FORBIDDEN', null, refusals.permission));
    expect(await erase('admin', 'rule:1')).toMatchObject(refused('NOT_FOUND', 'accountId', messages.noAccount));
    expect(await erase('admin', 'ann')).toMatchObject(refused('NOT_FOUND', 'accountId', messages.nothingOfAccount));
    expect(await erase('admin', GONE)).toEqual({ checklists: 1, errors: [] });
    expect(await erase('admin', GONE)).toMatchObject(refused('NOT_FOUND', 'accountId', messages.nothingOfAccount));
    await app.it.settled();
    expect(await stored()).not.toContain(GONE);
    expect((await workOn(app.it, issue.id, STAYS).then(each => each.read())).text).toContain(FORMER_USER);
  });
});

onStore(use => {
  test('on Connect, accounts are reported to the site, and closed ones are erased', async () => {
    provokes({ differences: true });
    const it = await startApp(use().store);
    try {
      const bodies: unknown[] = [];
      it.tracker.faults.push(({ method, path, body }) => {
        if (method !== 'POST' || path !== '/rest/atlassian-connect/latest/report-accounts') return undefined;
        bodies.push(body);
        return Response.json(
          { accounts: [{ accountId: GONE, status: 'closed' }] },
          { headers: { 'cycle-period': '5' } },
        );
      });
      const issue = await newIssue(it, EDITOR, GONE);
      await issue.edit(update(`- a ${mentionOf(GONE)}`));
      await it.settled();
      await it.jobs['report-people'](
        { tenant: it.tenant.id },
        { signal: new AbortController().signal, lastTry: false },
      );
      await it.settled();
      expect(bodies).toMatchObject([{ accounts: [{ accountId: GONE, updatedAt: expect.any(String) }, {}] }]);
      expect(await issue.text()).toBe(`- a ${FORMER_USER}`);
      expect(await use().raw('select days from report_cycle where tenant = $1', [it.tenant.id])).toEqual([{ days: 5 }]);
    } finally {
      await it.app.close();
    }
  });
});
