/**
 * All messages; those that the product specification fixes word for word. Each is an export of its own, so that a
 * bundle contains only those it uses.
 */

export * as assigned from './messages/assigned.ts';
export * as chips from './messages/chips.ts';
export * as complete from './messages/complete.ts';
export * as conflicts from './messages/conflicts.ts';
export * as attempts from './messages/connection/attempts.ts';
export * as drafts from './messages/connection/drafts.ts';
export * as unreachable from './messages/connection/unreachable.ts';
export * as failures from './messages/failures.ts';
export * as find from './messages/find.ts';
export * as gates from './messages/gates.ts';
export * as hierarchy from './messages/hierarchy.ts';
export * as api from './messages/integrations/api.ts';
export * as apiTokens from './messages/integrations/api-tokens.ts';
export * as automation from './messages/integrations/automation.ts';
export * as secrets from './messages/integrations/secrets.ts';
export * as jobs from './messages/jobs.ts';
export * as limitReached from './messages/limits.ts';
export * as losses from './messages/losses.ts';
export * as managing from './messages/managing.ts';
export * as notifications from './messages/notifications.ts';
export * as paste from './messages/paste.ts';
export * as refusals from './messages/refusals.ts';
export * as selecting from './messages/selecting.ts';
export * as settings from './messages/settings.ts';
export * as shell from './messages/shell.ts';
export * as statuses from './messages/statuses.ts';
export * as storage from './messages/storage.ts';
export * as successes from './messages/successes.ts';
export * as deletion from './messages/templates/deletion.ts';
export * as rules from './messages/templates/rules.ts';
export * as templates from './messages/templates.ts';
export * as whole from './messages/whole.ts';
export * as enforcement from './messages/workflow/enforcement.ts';
export * as workflow from './messages/workflow.ts';
