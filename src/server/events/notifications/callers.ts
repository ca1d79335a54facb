import type { NotifyMode } from '../../../domain/automation/notifications.ts';
import { refusals, storage } from '../../../domain/messages.ts';
import { anonymous } from '../../../domain/user.ts';
import type { Checklists } from '../../checklists/service/types.ts';
import type { Refusing } from '../../errors/refusal.ts';
import { Refused } from '../../errors/refused.ts';
import type { Caller } from '../../platform/tokens.ts';
import { isIssueId } from '../../platform/tracker/issue.ts';
import type { Store } from '../../store/store.ts';
import { isMuted, loadPerson, putMute, savePerson } from './records.ts';

/** One account's choice of notifications. */
export interface NotificationSettings {
  mode: NotifyMode;
  /** Whether the issue of the request is muted. */
  muted: boolean;
}

/** The notifications of one account. Every refusal is a `Refused`. */
export interface CallersNotifications {
  settings(issue?: string): Promise<NotificationSettings>;
  choose(mode: NotifyMode): Promise<NotificationSettings>;
  mute(issue: string, muted: boolean): Promise<NotificationSettings>;
}

export interface CallersNotificationsOptions {
  store: Store;
  caller: Caller;
  checklists: Pick<Checklists, 'viewable'>;
  refusing: Refusing;
}

export function callersNotifications(options: CallersNotificationsOptions): CallersNotifications {
  const { store, caller, checklists, refusing } = options;
  const { account } = caller;
  const tenant = caller.tenant.id;

  function requireAccount(): void {
    if (account === anonymous.id) throw new Refused('FORBIDDEN', refusals.permission);
  }

  async function settings(issue?: string): Promise<NotificationSettings> {
    requireAccount();
    return store.tenant(tenant, async tx => ({
      mode: (await loadPerson(tx, tenant, account)).notify,
      muted: issue !== undefined && (await isMuted(tx, tenant, account, issue)),
    }));
  }

  async function choose(mode: NotifyMode): Promise<NotificationSettings> {
    requireAccount();
    await store.tenant(tenant, tx => savePerson(tx, tenant, account, mode));
    return settings();
  }

  async function mute(issue: string, muted: boolean): Promise<NotificationSettings> {
    requireAccount();
    // Muting needs permission to view the issue; unmuting does not, as that may have been lost.
    const isVisible = isIssueId(issue) && (!muted || (await checklists.viewable([issue])).has(issue));
    if (!isVisible) throw new Refused('NOT_FOUND', storage.issueNotFound, 'issueId');
    await store.tenant(tenant, tx => putMute(tx, tenant, account, issue, muted));
    return settings(issue);
  }

  return {
    settings: issue => refusing(settings(issue)),
    choose: mode => refusing(choose(mode)),
    mute: (issue, muted) => refusing(mute(issue, muted)),
  };
}
