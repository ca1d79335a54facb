import { refusals } from '../../domain/messages.ts';
import { anonymous } from '../../domain/user.ts';
import type { Checklists } from '../checklists/types.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { Refused } from '../errors/refused.ts';
import { requireAdmin } from '../auth/project-permissions.ts';
import type { Scope } from '../queue/wide-types.ts';

/**
 * Rejects with `Refused` unless the caller may run jobs there (design.md §4): on the site whoever administers it, in a
 * project whoever manages its templates, on an issue whoever edits its checklist.
 */
export async function requireScope(caller: Caller, tracker: Tracker, checklists: Checklists, scope: Scope) {
  if (caller.account === anonymous.id) throw new Refused('FORBIDDEN', refusals.permission);
  if (scope.kind !== 'issue') return requireAdmin(caller, tracker, scope.kind === 'site' ? null : scope.id);
  const held = (await checklists.flagsNow([scope.id])).get(scope.id);
  if (!held?.canEditChecklist) throw new Refused('FORBIDDEN', refusals.permission);
}
