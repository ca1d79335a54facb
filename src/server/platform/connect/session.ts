import type { FastifyInstance } from 'fastify';
import { edition } from '../../../domain/edition.ts';
import type { ProductSettingsPayload } from '../../../domain/token.ts';
import { Unauthorized } from '../../errors/request.ts';
import type { Store } from '../../store/store.ts';
import type { Authentication } from '../authentication.ts';
import type { Tenant } from '../tenants.ts';
import type { Tokens } from '../tokens.ts';

/** Whether a checklist was ever stored for the tenant: a site without one is shown the introduction. */
export async function hasChecklist(store: Store, tenant: string): Promise<boolean> {
  const first = await store.tenant(tenant, tx =>
    tx.selectFrom('revision').select('seq').where('tenant', '=', tenant).limit(1).executeTakeFirst(),
  );
  return first !== undefined;
}

/** A tenant's settings for a session's token. */
export const sessionSettings = async (store: Store, tenant: Tenant): Promise<ProductSettingsPayload> => ({
  ...tenant.settings,
  has_checklist: await hasChecklist(store, tenant.id),
  licensed: tenant.licensed,
  permission_keys: tenant.forge?.permissions,
});

/** Exchanges the tracker's context token for a session token. */
export function sessionRoute(
  app: FastifyInstance,
  { tokens, authentication, store }: { tokens: Tokens; authentication: Authentication; store: Store },
): void {
  app.get('/api/jira/auth', async (request, reply) => {
    if (request.headers['app-key'] !== edition.key) throw new Unauthorized('app key');
    const caller = await authentication.context(request, reply);
    const token = await tokens.issue(caller, await sessionSettings(store, caller.tenant));
    return reply.header('cache-control', 'no-store').send({ token });
  });
}
