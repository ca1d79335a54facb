import { api } from './migrations/api.ts';
import { assignedPeople } from './migrations/assigned-people.ts';
import { automation } from './migrations/automation.ts';
import { baseline } from './migrations/baseline.ts';
import { endedSecrets } from './migrations/ended-secrets.ts';
import { filledItems } from './migrations/filled-items.ts';
import { followedIssues } from './migrations/followed-issues.ts';
import { limits } from './migrations/limits.ts';
import type { Migration } from './migrations/migration.ts';
import { people } from './migrations/people.ts';
import { portal } from './migrations/portal.ts';
import { projectCopies } from './migrations/project-copies.ts';
import { propertyForm } from './migrations/property-form.ts';
import { refusalPauses } from './migrations/refusal-pauses.ts';
import { starters } from './migrations/starter-templates.ts';
import { storedStates } from './migrations/stored-states.ts';
import { unansweredIssues } from './migrations/unanswered-issues.ts';
import { uninstalled } from './migrations/uninstalled.ts';
import { unreadFields } from './migrations/unread-fields.ts';
import { wantedProjectCopies } from './migrations/wanted-project-copies.ts';

/** Run in order, each once; released ones are never edited. */
export const migrations: readonly Migration[] = [
  baseline,
  assignedPeople,
  followedIssues,
  starters,
  api,
  automation,
  filledItems,
  portal,
  propertyForm,
  limits,
  uninstalled,
  endedSecrets,
  storedStates,
  projectCopies,
  wantedProjectCopies,
  unreadFields,
  unansweredIssues,
  people,
  refusalPauses,
];

/** Names of all migrations, and all tables in the order of their creation. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);
export const tableNames: readonly string[] = migrations.flatMap(({ tables }) => tables);
/** Tables without lasting data: queued jobs are restored at the next start, the rest expires within hours. */
const transientTables = ['forge_asker', 'queue', 'quota_use', 'quota_fact', 'watch', 'used_token', 'rate_use'];
/** Tables with lasting data of tenants. */
export const contentTables: readonly string[] = tableNames.filter(name => !transientTables.includes(name));
