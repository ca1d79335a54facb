import { type CompiledQuery, sql } from 'kysely';
import { Unauthorized } from '../errors/request.ts';
import { demand, isUnmet } from '../store/demand.ts';
import { statement } from '../store/statement.ts';
import type { Tx } from '../store/tables.ts';

/** An installation of a tenant. */
export interface Installed {
  id: string;
  epoch: string;
}

/** Whether the installation still exists: the tenant may uninstall while work waits. */
export const isInstalled = ({ id, epoch }: Installed) =>
  sql<boolean>`exists (select from tenant where tenant.tenant = ${id} and enabled and epoch = ${epoch})`;

/** The error of an expired session. */
export const uninstalled = (): Unauthorized => new Unauthorized('unknown tenant');

const installed = statement((db, values: Installed) =>
  db.selectNoFrom(demand(isInstalled(values), 'installed').as('there')),
);

/** A statement that fails if the installation is gone; `isGone` recognizes the error. */
export const mustBeInstalled = ({ id, epoch }: Installed): CompiledQuery<unknown> => installed({ id, epoch });
export const isUninstalled = (error: unknown): boolean => isUnmet(error, 'installed');

/** Rejects with `Unauthorized` if the installation is gone. */
export async function requireInstalled(tx: Tx, installed: Installed): Promise<void> {
  const { there } = await tx.selectNoFrom(isInstalled(installed).as('there')).executeTakeFirstOrThrow();
  if (!there) throw uninstalled();
}
