import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenants } from '../../../src/server/platform/tenants.ts';
import type { Store } from '../../../src/server/store/store.ts';
import { exportStore, importStore, TransferRefused } from '../../../src/server/store/transfer.ts';
import { startApp, testVault } from '../support/app.ts';
import { newIssue, tick, update } from '../support/checklists.ts';
import { embedded, onBothStores, server } from '../support/stores.ts';

async function exported(store: Store): Promise<string[]> {
  const lines: string[] = [];
  await exportStore(store, async line => void lines.push(line));
  return lines;
}

const given = (lines: readonly string[]) =>
  async function* open(): AsyncGenerator<string> {
    yield* lines;
  };

/** A file of these lines as an export ends it. */
function whole(...lines: readonly string[]): string[] {
  const sha256 = createHash('sha256')
    .update(lines.map(line => `${line}\n`).join(''))
    .digest('hex');
  return [...lines, JSON.stringify({ rows: lines.length - 1, sha256 })];
}

onBothStores(use => {
  test('data of one store is transferred to another, on either kind of database', async () => {
    const it = await startApp(use().store);
    const issue = await newIssue(it);
    await issue.edit(update('- "quoted" \\ – ünï 😀\n> detail'));
    await issue.edit(tick(0, '"quoted" \\ – ünï 😀'));
    const lines = await exported(use().store);
    expect(lines.length).toBeGreaterThan(3);

    for (const open of [embedded, server]) {
      const other = await open();
      expect(await importStore(other.store, given(lines))).toBe(lines.length - 2);
      expect(await exported(other.store)).toEqual(lines);
      const tenant = await createTenants(other.store, testVault()).find(it.tenant.id);
      expect(tenant?.secret).toBe(it.tenant.secret);
      await other.close();
    }
    await it.app.close();
  });

  test('more rows than one batch are transferred', async () => {
    const it = await startApp(use().store);
    const columns = 'tenant, issue, account, client, kind, epoch, seq, hash, name, text, conflicts';
    await use().raw(
      `insert into revision (${columns})
       select '${it.tenant.id}', '1', 'a', 'c' || n, 'k', 'e', n, 'h', 'n', '- ' || n, '[]' from generate_series(1, 1200) n`,
    );
    const lines = await exported(use().store);
    const other = await embedded();
    await importStore(other.store, given(lines));
    expect(await other.raw('select count(*)::int as count from revision')).toEqual(
      await use().raw('select count(*)::int as count from revision'),
    );
    await other.close();
    await it.app.close();
  });

  test('a store in use, another version and an invalid file are refused', async () => {
    const it = await startApp(use().store);
    const lines = await exported(use().store);
    await expect(importStore(use().store, given(lines))).rejects.toThrow('This store is in use');
    const fresh = await embedded();
    const refusal = async (file: readonly string[]) => {
      const error = await importStore(fresh.store, given(file)).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(TransferRefused);
      return error instanceof TransferRefused ? error.message : '';
    };
    const refused = async (...file: string[]) => {
      const message = await refusal(whole(...file));
      expect(message).not.toContain('whole');
      expect(message).not.toContain('early');
    };
    await refusal([]);
    expect(await refusal(['{"format":1,"schema":["older"]}'])).toContain('another version');
    expect(await refusal([(lines[0] ?? '').replace('"format":1', '"format":2')])).toContain('another version');
    await refusal(['no JSON']);
    await refused(lines[0] ?? '', '{"tenant":"t","table":"pg_class","row":{}}');
    const row = (row: unknown, table = 'status_use') => JSON.stringify({ tenant: 't', table, row });
    await refused(lines[0] ?? '', row({ tenant: 'another' }));
    await refused(lines[0] ?? '', row('"; drop table tenant; --'));
    await refused(lines[0] ?? '', row({ tenant: 't', issue: 'a\u0000b' }));
    await refused(lines[0] ?? '', row({ tenant: 't' }, 'revision'));
    await refused(lines[0] ?? '', row({ tenant: 't', seq: '1; select 1' }, 'revision'));
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    await refused(lines[0] ?? '', `{"tenant":"t","table":"revision","row":{"tenant":"t","conflicts":${nested}}}`);
    await refused(lines[0] ?? '', row({ tenant: 't' }, 'status_use; drop table tenant'));
    await refused(lines[0] ?? '', `{"tenant":"t","table":"revision","row":${nested}}`);
    expect(await fresh.store.tenants()).toEqual([]);
    await fresh.close();
    await it.app.close();
  });

  test('a file that is cut, at the end of a line or within one, or changed is refused before anything is stored', async () => {
    const it = await startApp(use().store);
    const issue = await newIssue(it);
    await issue.edit(update('- a\u2028b'));
    const lines = await exported(use().store);
    const last = lines.at(-2) ?? '';
    const fresh = await embedded();
    const importing = (...file: string[]) => expect(importStore(fresh.store, given(file))).rejects;
    await importing(...lines.slice(0, -1)).toThrow(`ends early, with line ${lines.length - 1}`);
    await importing(...lines.slice(0, -2)).toThrow('ends early');
    await importing(...lines.slice(0, -2), last.slice(0, 20)).toThrow('ends early');
    await importing(lines[0] ?? '').toThrow('ends early, with line 1');
    await importing(...lines.slice(0, -2), lines.at(-1) ?? '').toThrow('not whole');
    await importing(...lines.slice(0, -2), last.replace('"', '" '), lines.at(-1) ?? '').toThrow('not whole');
    await importing(...lines, last).toThrow('ends early');
    for (const table of ['tenant', 'revision', 'sync'])
      expect(await fresh.raw(`select from ${table}`), table).toEqual([]);
    expect(await importStore(fresh.store, given(lines))).toBe(lines.length - 2);
    await fresh.close();
    await it.app.close();
  });
});
