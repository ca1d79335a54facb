import { randomUUID } from 'node:crypto';
import { ruleAccount } from '../../../domain/person.ts';
import type { ChecklistService } from '../../checklists/service/checklists.ts';
import type { Tenant } from '../../platform/tenants.ts';
import { eachOf, Incomplete } from '../../queue/each.ts';
import type { WantedCopies } from '../../queue/wanted-copies.ts';
import type { Store } from '../../store/store.ts';
import { eraseStored, mentioningIssues } from './stored-accounts.ts';

export interface ErasureSite {
  store: Store;
  tenant: Tenant;
  checklists: Pick<ChecklistService, 'permitted'>;
  copies: WantedCopies;
}

/**
 * Erases a person: from the newest texts by changes like any other, whose copies in the tracker follow, and then from the
 * history, templates, notifications, presence, assignments and cached permissions. `by` is the administrator who
 * asked for it, if any. Resolves with the number of changed checklists. Goes on after a checklist that fails, which keeps
 * its revisions, and rejects with `Incomplete` at the end; then it may be repeated.
 */
export async function eraseAccount(
  { store, tenant, checklists, copies }: ErasureSite,
  account: string,
  by: string = ruleAccount(''),
): Promise<number> {
  const issues = await store.tenant(tenant.id, tx => mentioningIssues(tx, tenant.id, account));
  const work = checklists.permitted({ tenant, account: by === account ? ruleAccount('') : by });
  const result = await eachOf(
    issues,
    issueId => `issue ${issueId}`,
    issueId => work.rewrite({ issueId, clientId: randomUUID(), edit: { kind: 'erasePerson', account } }),
  );
  // A repeated erasure finds them by their texts.
  const failed = result.failures.map(({ thing }) => thing);
  await store.tenant(tenant.id, async tx => {
    await eraseStored(tx, tenant.id, account, failed);
    // The projects hold templates, which may have named the person.
    await copies.want(tx, tenant.id);
  });
  copies.wake();
  if (failed.length > 0) throw new Incomplete('erasure of a person', result);
  return issues.length;
}
