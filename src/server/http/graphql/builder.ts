import SchemaBuilder from '@pothos/core';
import type { ChecklistChange } from '../../../domain/change.ts';
import type { ApiTokens } from '../../api-tokens/types.ts';
import type { Webhooks } from '../../automation/types.ts';
import type { Checklists } from '../../checklists/service/types.ts';
import type { CallersNotifications } from '../../events/notifications/callers.ts';
import type { CallersJobs } from '../../jobs/callers.ts';
import type { Caller } from '../../platform/tokens.ts';
import type { Settings } from '../../settings/types.ts';
import type { WorkflowChecks, WorkflowOf } from '../../settings/workflow-checks.ts';
import type { Statuses } from '../../statuses/types.ts';
import type { Assignments } from '../../templates/assigned/types.ts';
import type { Templates } from '../../templates/types.ts';
import type { Presence } from '../live/presence.ts';

/** Administration of one tenant, with one account's permissions. */
export interface Administration {
  statuses: Statuses;
  templates: Templates;
  assignments: Assignments;
  settings: Settings;
  /** The conditions that workflow rules check on issues of a project and type. */
  workflowChecks(of: WorkflowOf): Promise<WorkflowChecks>;
  apiTokens: ApiTokens;
  webhooks: Webhooks;
  notifications: CallersNotifications;
}

/** Context of resolvers: the caller, and services with the caller's permissions. */
export interface GraphContext extends Administration {
  caller: Caller;
  checklists: Checklists;
  jobs: CallersJobs;
  presence: Presence;
  /** The server's public address. */
  baseUrl: string;
  featureFlags: Readonly<Record<string, boolean>>;
}

/** Values of the JSON scalar. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export const builder = new SchemaBuilder<{
  Context: GraphContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: true;
  Scalars: {
    ID: { Input: string; Output: string };
    JSON: { Input: never; Output: Json };
    ChecklistChange: { Input: ChecklistChange; Output: never };
  };
}>({ defaultFieldNullability: false, defaultInputFieldRequiredness: true });
