import { sql } from 'kysely';
import { authorPrefixes, FORMER_USER, formerAccount, OUTSIDE_ACCOUNT } from '../../../domain/person.ts';
import { anonymous } from '../../../domain/user.ts';
import { mentionOf } from '../../../text/edits/erase-person.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';

/** How an account is erased from a column: its rows are deleted, or another value takes its place. */
type Erasure = 'delete' | 'replace' | 'empty';

/** Every column that holds an account id. A test compares it with the database. */
export const accountColumns: readonly { table: string; column: string; erasure: Erasure }[] = [
  { table: 'access_grant', column: 'account', erasure: 'delete' },
  { table: 'api_token', column: 'account', erasure: 'replace' },
  { table: 'assigned_item', column: 'account', erasure: 'delete' },
  { table: 'assigned_item', column: 'assigner', erasure: 'empty' },
  { table: 'conversion', column: 'account', erasure: 'replace' },
  { table: 'forge_asker', column: 'account', erasure: 'delete' },
  { table: 'job', column: 'account', erasure: 'replace' },
  { table: 'notification', column: 'account', erasure: 'delete' },
  { table: 'notification_mute', column: 'account', erasure: 'delete' },
  { table: 'person', column: 'account', erasure: 'delete' },
  { table: 'presence', column: 'account', erasure: 'delete' },
  { table: 'presence_place', column: 'account', erasure: 'delete' },
  { table: 'reported_account', column: 'account', erasure: 'delete' },
  { table: 'revision', column: 'account', erasure: 'replace' },
  { table: 'template', column: 'account', erasure: 'replace' },
  { table: 'template_rule', column: 'account', erasure: 'replace' },
  { table: 'template_version', column: 'account', erasure: 'replace' },
  { table: 'webhook', column: 'account', erasure: 'replace' },
];

/** Every column with text of users, in which accounts are mentioned. `json`: the text is in a JSON value. */
export const textColumns: readonly { table: string; column: string; json?: true }[] = [
  { table: 'assigned_item', column: 'text' },
  { table: 'assigned_item', column: 'section' },
  { table: 'conversion', column: 'summary' },
  { table: 'revision', column: 'name' },
  { table: 'revision', column: 'text' },
  { table: 'revision', column: 'conflicts', json: true },
  { table: 'sync', column: 'property_seen', json: true },
  { table: 'template', column: 'name' },
  { table: 'template', column: 'text' },
  { table: 'template_version', column: 'name' },
  { table: 'template_version', column: 'text' },
  { table: 'webhook_call', column: 'body' },
];

/** Authors that are no persons, and the platform's word for an account that it cannot name: it must not be reported. */
const noPersons: readonly string[] = ['', 'unknown', anonymous.id, OUTSIDE_ACCOUNT, formerAccount];

export const isPerson = (account: string): boolean =>
  !noPersons.includes(account) && !authorPrefixes.some(prefix => account.startsWith(prefix));

/** One statement reads the texts of this many issues. */
const ISSUES_PER_STATEMENT = 100;
const MENTION_PATTERN = String.raw`\[~accountid:([\w:.-]{1,128})\]`;

/** The texts of a revision as one. */
const revisionText = sql`concat_ws(' ', ${sql.join(
  textColumns.filter(({ table }) => table === 'revision').map(({ column }) => sql.ref(`t.${column}`)),
)})`;

/** The accounts that texts of the next issues mention, and the last of these issues. */
async function mentioned(tx: Tx, tenant: string, after: string): Promise<{ accounts: string[]; last?: string }> {
  const { rows } = await sql<{ issue: string; accounts: string[] }>`
    select r.issue, array(select distinct m[1] from revision t, regexp_matches(${revisionText}, ${MENTION_PATTERN}, 'g') m
      where t.tenant = ${tenant} and t.issue = r.issue) as accounts
    from (select distinct issue from revision where tenant = ${tenant} and issue > ${after}
      order by issue limit ${sql.lit(ISSUES_PER_STATEMENT)}) r order by r.issue`.execute(tx);
  const last = rows.at(-1)?.issue;
  return { accounts: rows.flatMap(({ accounts }) => accounts), ...(last !== undefined && { last }) };
}

/** All accounts of persons that are stored of a site, in columns and in texts. */
export async function storedAccounts(store: Store, tenant: string): Promise<string[]> {
  const foundAccounts = new Set<string>();
  await store.tenant(tenant, async tx => {
    const columns = accountColumns.filter(({ table }) => table !== 'reported_account');
    for (const { table, column } of columns) {
      const { rows } = await sql<{ account: string }>`select distinct ${sql.ref(column)} as account
        from ${sql.table(table)} where tenant = ${tenant} and ${sql.ref(column)} is not null`.execute(tx);
      for (const { account } of rows) foundAccounts.add(account);
    }
    for (const { table, column } of textColumns.filter(({ table }) => table !== 'revision')) {
      const { rows } = await sql<{ account: string }>`select distinct m[1] as account
        from ${sql.table(table)}, regexp_matches(${sql.ref(column)}::text, ${MENTION_PATTERN}, 'g') m
        where tenant = ${tenant}`.execute(tx);
      for (const { account } of rows) foundAccounts.add(account);
    }
    const { rows } = await sql<{ account: string }>`select distinct unnest(actors) as account
      from sync where tenant = ${tenant}`.execute(tx);
    for (const { account } of rows) foundAccounts.add(account);
  });
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const { accounts, last } = await store.tenant(tenant, tx => mentioned(tx, tenant, from));
    for (const account of accounts) foundAccounts.add(account);
    after = last;
  }
  return [...foundAccounts].filter(isPerson);
}

/** Issues whose newest text mentions an account. */
export async function mentioningIssues(tx: Tx, tenant: string, account: string): Promise<string[]> {
  const { rows } = await sql<{ issue: string }>`
    select c.issue from checklist c
      join revision r on (r.tenant, r.issue, r.epoch, r.seq) = (c.tenant, c.issue, c.epoch, c.seq)
    where c.tenant = ${tenant} and strpos(r.text, ${mentionOf(account)}) > 0 order by c.issue`.execute(tx);
  return rows.map(({ issue }) => issue);
}

const clientTables: readonly string[] = ['conversion', 'revision'];

/**
 * Replaces mentions in all stored texts, and erases an account from all columns. The revisions of `kept` issues keep
 * their texts.
 */
export async function eraseStored(
  tx: Tx,
  tenant: string,
  account: string,
  kept: readonly string[] = [],
): Promise<void> {
  const mention = mentionOf(account);
  for (const { table, column, json } of textColumns) {
    const [at, value] = [sql.ref(column), json ? sql`${sql.ref(column)}::text` : sql.ref(column)];
    const replaced = sql`replace(${value}, ${mention}, ${FORMER_USER})`;
    const isErased = table === 'revision' ? sql`issue <> all(${kept}::text[])` : sql`true`;
    // A run that loaded it before records nothing.
    const fence = table === 'sync' ? sql`, fence = fence + 1` : sql``;
    await sql`update ${sql.table(table)} set ${at} = ${json ? sql`${replaced}::jsonb` : replaced} ${fence}
      where tenant = ${tenant} and strpos(${value}, ${mention}) > 0 and ${isErased}`.execute(tx);
  }
  // Calls that wait name the author of the change.
  await sql`update webhook_call set body = replace(body, ${JSON.stringify(account)}, ${JSON.stringify(formerAccount)})
    where tenant = ${tenant} and strpos(body, ${JSON.stringify(account)}) > 0`.execute(tx);
  await sql`update sync set actors = array_remove(actors, ${account})
    where tenant = ${tenant} and actors @> array[${account}]`.execute(tx);
  await sql`delete from queue where tenant = ${tenant} and data ->> 'account' = ${account}`.execute(tx);
  for (const { table, column, erasure } of accountColumns) {
    const [name, at] = [sql.table(table), sql.ref(column)];
    const ofAccount = sql`where tenant = ${tenant} and ${at} = ${account}`;
    if (erasure === 'delete') await sql`delete from ${name} ${ofAccount}`.execute(tx);
    else if (erasure === 'empty') await sql`update ${name} set ${at} = null ${ofAccount}`.execute(tx);
    else {
      // Client ids are unique for each account.
      const client = clientTables.includes(table) ? sql`, client = md5(account || ' ' || client)` : sql``;
      await sql`update ${name} set ${at} = ${formerAccount} ${client} ${ofAccount}`.execute(tx);
    }
  }
}
