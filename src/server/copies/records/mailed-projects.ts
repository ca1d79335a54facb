import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';

/** A note expires: a project in which writes of the field still send mail is noted again each day. */
const NOTE_EXPIRY_DAYS = 30;

/** Notes whether the last write of the text field in a project sent mail to watchers. */
export const noteMail = (
  store: Pick<Store, 'tenant'>,
  { tenant, project }: { tenant: string; project: string },
  isMailed: boolean,
): Promise<void> =>
  store.tenant(tenant, async tx => {
    const statement = isMailed
      ? sql`insert into mailed_project (tenant, project) values (${tenant}, ${project})
          on conflict (tenant, project) do update set noted = now()`
      : sql`delete from mailed_project where tenant = ${tenant} and project = ${project}`;
    await statement.execute(tx);
  });

/** Keys of the projects in which writes of the text field send mail to watchers; the id of one whose key is unknown. */
export async function mailedProjects(tx: Tx, tenant: string, project: string | null): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select coalesce((select regexp_replace(c.key, '-[0-9]+$', '') from checklist c
        where c.tenant = m.tenant and c.project = m.project and c.key is not null limit 1), m.project) as key
      from mailed_project m
      where m.tenant = ${tenant} and m.noted > now() - make_interval(days => ${NOTE_EXPIRY_DAYS}::int)
        and (${project}::text is null or m.project = ${project}) order by key`.execute(tx);
  return rows.map(({ key }) => key);
}
