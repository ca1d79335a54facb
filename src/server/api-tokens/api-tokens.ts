import { randomUUID } from 'node:crypto';
import { fieldErrors, validateName } from '../../domain/fields.ts';
import { apiTokens as messages } from '../../domain/messages.ts';
import { cleanName } from '../../text/document.ts';
import { requireAdmin, requireKnownProjects } from '../access/project-permissions.ts';
import type { Refusing } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { publish } from '../store/live-events.ts';
import { lockTenant } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import { addToken, loadTokens, revokeToken } from './records.ts';
import { hashSecret, newSecret } from './secret.ts';
import type { ApiTokens, NewApiToken } from './types.ts';

export interface ApiTokensOptions {
  store: Store;
  caller: Caller;
  tracker: Tracker;
  refusing: Refusing;
  now?(): number;
}

/** Limits of the valid tokens of a site, and of the projects of one token. */
const MAX_TOKENS = 50;
const MAX_PROJECTS = 50;

export function callersApiTokens({ store, caller, tracker, refusing, now = Date.now }: ApiTokensOptions): ApiTokens {
  const { tenant, account } = caller;

  async function check({ name, projects, until }: NewApiToken): Promise<void> {
    const code = validateName(name);
    if (code) throw new Refused(code, fieldErrors[code], 'name');
    if (until !== null && !(until.getTime() > now())) throw new Refused('UNREADABLE', messages.past, 'until');
    if (projects.length > MAX_PROJECTS) {
      throw new Refused('TOO_LARGE', messages.tooManyProjects(MAX_PROJECTS), 'projectIds');
    }
    await requireKnownProjects(tracker, projects);
  }

  const list = async () => {
    await requireAdmin(caller, tracker, null);
    return store.tenant(tenant.id, tx => loadTokens(tx, tenant));
  };

  const create: ApiTokens['create'] = async values => {
    await requireAdmin(caller, tracker, null);
    const name = cleanName(values.name);
    const projects = [...new Set(values.projects)];
    await check({ ...values, name, projects });
    const [id, secret] = [randomUUID(), newSecret(tenant.id)];
    return store.tenant(tenant.id, async tx => {
      await lockTenant(tx, tenant.id);
      const storedTokens = await loadTokens(tx, tenant);
      // The history names changes by the token's name.
      if (storedTokens.some(token => token.name.toLowerCase() === name.toLowerCase())) {
        throw new Refused('NOT_UNIQUE', fieldErrors.NOT_UNIQUE, 'name');
      }
      if (storedTokens.length >= MAX_TOKENS) throw new Refused('LIMIT_REACHED', messages.tooMany(MAX_TOKENS));
      const { scope, until } = values;
      await addToken(
        tx,
        { tenant: tenant.id, epoch: tenant.epoch, hash: hashSecret(secret) },
        { id, name, scope, projects, account, until },
      );
      await publish(tx, tenant.id, { kind: 'settings' });
      const token = (await loadTokens(tx, tenant)).find(each => each.id === id);
      if (!token) throw new Error('A new token is missing.');
      return { token, secret };
    });
  };

  const revoke: ApiTokens['revoke'] = async id => {
    await requireAdmin(caller, tracker, null);
    return store.tenant(tenant.id, async tx => {
      if (!(await revokeToken(tx, tenant.id, id))) throw new Refused('NOT_FOUND', messages.notFound, 'id');
      await publish(tx, tenant.id, { kind: 'settings' });
      return loadTokens(tx, tenant);
    });
  };

  return {
    list: () => refusing(list(), messages.list),
    create: values => refusing(create(values), messages.create),
    revoke: id => refusing(revoke(id), messages.revoke),
  };
}
