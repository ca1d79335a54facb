import type { HostBridge } from '../../../../bridge/bridge.ts';
import type { ChecklistStore, ChecklistView } from '../../../../client/checklist.ts';
import type { GraphqlClient } from '../../../../client/graphql.ts';
import { type ImportMode, jobOutcome, type Outcome, type Started, startImport } from '../../../../client/jobs.ts';
import type { IssueRef } from '../../../../client/reading.ts';
import { successes } from '../../../../domain/messages.ts';
import type { Surface } from '../../../../domain/pages.ts';
import type { User } from '../../../../domain/user.ts';
import type { ListControls } from '../../../checklist/list/list-commands.ts';
import type { Actions } from '../../../model/checklist/use-actions.ts';
import { parseChoice, type TemplateChoice } from '../../../model/templates/templates.ts';
import type { Dialogs } from '../../../shell/navigation/dialogs.tsx';
import type { Notify } from '../../../shell/services/services.ts';

/** Opens the template dialog, to import templates into this issue or to manage them. */
const openTemplates = (
  { dialogs, issue: { issueId, issueKey } }: Pick<ImportContext, 'dialogs' | 'issue'>,
  purpose: 'import' | 'manage',
) => dialogs.open('templates', { issueId, issueKey, purpose });

export interface ImportContext {
  dialogs: Dialogs;
  issue: IssueRef;
  store: ChecklistStore;
  actions: Pick<Actions, 'step'>;
  notify: Notify;
}

/** Applies templates as one change, a step to undo once the server has made it. Resolves with whether it has. */
export function applyTemplates(
  { store, actions }: Pick<ImportContext, 'store' | 'actions'>,
  { templateIds, names, mode, section }: TemplateChoice,
): Promise<boolean> {
  const change = store.change({ kind: 'applyTemplateToChecklist', templateIds, mode, ...(section && { section }) });
  const label = names.length === 1 ? `Applied “${names[0]}”` : `Applied ${names.length} templates`;
  return change.outcome.then(
    () => {
      actions.step(label, change);
      return true;
    },
    () => {
      // Its line says that it was not saved.
      actions.step(label, change);
      return false;
    },
  );
}

/** Opens the dialog to choose several templates and their position, and applies them. */
export async function importTemplates(context: ImportContext): Promise<void> {
  const choice = parseChoice(await openTemplates(context, 'import'));
  if (choice) await applyTemplates(context, choice);
}

export const manageTemplates = (context: Pick<ImportContext, 'dialogs' | 'issue'>): void =>
  void openTemplates(context, 'manage');

/** The state and services that the commands use. */
export interface CommandContext extends Pick<ListControls, 'help' | 'palette'> {
  issue: IssueRef;
  view: ChecklistView;
  store: ChecklistStore;
  user: User;
  actions: Actions;
  bridge: HostBridge;
  dialogs: Dialogs;
  graphql: GraphqlClient;
  surface: Surface;
  /** The project whose settings manage the statuses. */
  projectKey: string | undefined;
  notify: Notify;
  /** Says why a command failed until the next one; `undefined`: the next one begins. */
  onFailure(message: string | undefined): void;
  go(path: string): void;
  names(): Readonly<Record<string, string>>;
  /** Opens the popup to apply a template. */
  onTemplates(): void;
  /** Opens the confirmation of Clear. */
  onClear(): void;
  /** Opens the form for the checklist's name. */
  onRename(): void;
  /** Opens the dialog for the target of the import. */
  onImport(): void;
  /** Whether the user muted the issue, as far as known, and the function that changes this. */
  muted: boolean;
  onMute(): void;
}

/** Reports the start of a job on the checklist, and its result. */
export async function reportJob(context: CommandContext, work: Promise<Started>): Promise<void> {
  const { graphql, notify, onFailure, store } = context;
  const report = ({ ok, message }: Outcome) => (ok ? notify(message, 'success') : onFailure(message));
  onFailure(undefined);
  const started = await work;
  report(started);
  if (started.id === undefined) return;
  report(await jobOutcome(graphql, started.id));
  await store.refresh().catch(() => undefined);
}

/** Adds the demo checklist, a step to undo once the server has made the change; its line says if it has not. */
export function applyDemo({ store, actions }: CommandContext): void {
  const change = store.change({ kind: 'applyDemoTemplateToChecklist', mode: 'APPEND' });
  const step = () => actions.step('Added the demo checklist', change);
  change.outcome.then(step, step);
}

/** Deletes all rows and reports when that is stored. */
export function clear({ store, actions, notify }: CommandContext): void {
  const change = store.change({ kind: 'clearChecklist' });
  actions.step('Cleared the checklist', change);
  change.outcome.then(
    () => notify(successes.clearChecklist),
    () => undefined,
  );
}

/** Starts the server's import from Issue Checklist and reports its result. */
export const importInto = (context: CommandContext, mode: ImportMode): void =>
  void reportJob(context, startImport(context.graphql, context.issue.issueId, mode));
