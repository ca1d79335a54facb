import { type CompiledQuery, sql } from 'kysely';
import { Unauthorized } from '../errors/request.ts';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';
import type { Tx } from '../store/tables.ts';

/** Which installation of a tenant's work is done for. */
export interface Installed {
  id: string;
  epoch: string;
}

/** Whether that installation is still there: its tenant may uninstall while somebody's turn is yet to come. */
export const isInstalled = ({ id, epoch }: Installed) =>
  sql<boolean>`exists (select from tenant where tenant.tenant = ${id} and enabled and epoch = ${epoch})`;

/** Refused as its session would be by now. */
export const uninstalled = (): Unauthorized => new Unauthorized('unknown tenant');

const installed = statement((db, values: Installed) =>
  db.selectNoFrom(demand(isInstalled(values), 'installed').as('there')),
);

/** A statement that fails where the installation is gone, as `isGone` knows. */
export const mustBeInstalled = ({ id, epoch }: Installed): CompiledQuery<unknown> => installed({ id, epoch });
export const isGone = (error: unknown): boolean => isUnmet(error, 'installed');

/** Rejects with `Unauthorized` where the installation is gone. */
export async function holdInstalled(tx: Tx, installed: Installed): Promise<void> {
  const { there } = await tx.selectNoFrom(isInstalled(installed).as('there')).executeTakeFirstOrThrow();
  if (!there) throw uninstalled();
}
