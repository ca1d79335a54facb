import type { HostBridge } from '../../../bridge/bridge.ts';
import type { ChecklistStore, ChecklistView } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { type ImportMode, type Started, startImport, startSynchronization } from '../../../client/jobs.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { failures, successes } from '../../../domain/messages.ts';
import type { Surface } from '../../../domain/pages.ts';
import type { User } from '../../../domain/user.ts';
import type { MenuAction } from '../../kit/action-menu.tsx';
import type { Actions } from '../../model/checklist/use-actions.ts';
import { parseChoice } from '../../model/templates/template-choice.ts';
import { openDialog } from '../../shell/navigation/tracker-dialog.tsx';
import type { Notify } from '../../shell/services/services.ts';

/**
 * The ways from a checklist to the template manager, which is a dialog of ours: to choose one for this issue, or to change
 * them. The dialog tells them apart by `purpose`.
 */
const open = (
  { bridge, issue: { issueId, issueKey }, notify }: Pick<Into, 'bridge' | 'issue' | 'notify'>,
  purpose: 'import' | 'manage',
) => openDialog(bridge, notify, 'templates', { issueId, issueKey, purpose });

interface Into {
  bridge: HostBridge;
  issue: IssueRef;
  store: ChecklistStore;
  actions: Pick<Actions, 'step'>;
  notify: Notify;
}

/** Lets somebody choose templates and applies them: one change, which can be taken back as soon as the server made it. */
export async function importTemplate(into: Into): Promise<void> {
  const { store, actions, notify } = into;
  const choice = parseChoice(await open(into, 'import'));
  if (!choice) return;
  const { templateIds, names, mode, section } = choice;
  const change = store.change({ kind: 'applyTemplateToChecklist', templateIds, mode, ...(section && { section }) });
  const label = names.length === 1 ? `Imported “${names[0]}”` : `Imported ${names.length} templates`;
  change.outcome.then(
    () => actions.step(label, change),
    error => notify(failureMessage(error, failures.updateChecklist), 'error'),
  );
}

export const manageTemplates = (into: Pick<Into, 'bridge' | 'issue' | 'notify'>): void => void open(into, 'manage');

/** What the commands work on. */
export interface Whole {
  issue: IssueRef;
  view: ChecklistView;
  store: ChecklistStore;
  user: User;
  actions: Actions;
  bridge: HostBridge;
  graphql: GraphqlClient;
  surface: Surface;
  /** In whose settings statuses are managed. */
  projectKey: string | undefined;
  notify: Notify;
  go(path: string): void;
  names(): Readonly<Record<string, string>>;
  onHelp(): void;
  /** Asks whether everything is to be deleted. */
  onClear(): void;
  /** Asks where the import goes. */
  onImport(): void;
}

export interface Command extends MenuAction {
  /** It leads to what is new. */
  news?: boolean;
}

const told = (notify: Notify, work: Promise<Started>) =>
  void work.then(({ ok, message }) => notify(message, ok ? 'success' : 'error'));

/** Adds the rows that show what a checklist can do. It can be taken back as soon as the server has made it. */
function applyDemo({ store, actions, notify }: Whole): void {
  const change = store.change({ kind: 'applyDemoTemplateToChecklist', mode: 'APPEND' });
  change.outcome.then(
    () => actions.step('Added the demo checklist', change),
    error => notify(failureMessage(error, failures.updateChecklist), 'error'),
  );
}

/** Deletes all rows; that it is done is said when it is stored. */
export function clear({ store, actions, notify }: Whole): void {
  const change = store.change({ kind: 'clearChecklist' });
  actions.step('Cleared the checklist', change);
  change.outcome.then(
    () => notify(successes.clearChecklist),
    () => undefined,
  );
}

/** Has the server take over what Issue Checklist holds; says that it has begun, or why not. */
export const importInto = ({ issue, graphql, notify }: Whole, mode: ImportMode): void =>
  told(notify, startImport(graphql, issue.issueId, mode));

/** What this person may do with the list as a whole (spec §6), in groups as a menu shows them. */
export function commandsOf(whole: Whole): Command[][] {
  const { issue, view, user, bridge, graphql, surface, projectKey, notify, go, names, onHelp, onClear, onImport } =
    whole;
  const { rows } = view.model;
  const filled = rows.length > 0;
  const offer = (may: boolean, label: string, run: () => void): Command[] => (may ? [{ label, run }] : []);
  const shared = () => ({ checklist: view.model, names: names() });
  // What comes late may not come: then nothing happens, as with every other part that is away.
  const share = (run: (from: typeof import('./export.ts')) => unknown) => () =>
    void import('./export.ts').then(run).catch(() => notify(failures.unknown, 'error'));
  // The tracker's app shows the page in a view of its own, which neither prints nor takes files nor has a keyboard.
  const inBrowser = surface !== 'mobile';
  return [
    [
      ...offer(user.canImportTemplate, 'Import template…', () => void importTemplate(whole)),
      ...offer(user.canSaveTemplate && filled, 'Save as template…', () => go('/save-template')),
      ...offer(user.canImportTemplate, 'Add demo checklist', () => applyDemo(whole)),
    ],
    [
      ...offer(
        filled,
        'Copy as Markdown',
        share(({ copyMarkdown }) => copyMarkdown(shared(), notify)),
      ),
      ...offer(
        filled && inBrowser,
        'Export as CSV',
        share(({ downloadCsv }) => downloadCsv(shared(), issue.issueKey)),
      ),
      ...offer(filled && inBrowser, 'Print', () => window.print()),
    ],
    [
      ...offer(user.canViewChecklist, 'History', () => go('/history')),
      ...offer(user.canManageTemplates, 'Manage templates', () => manageTemplates(whole)),
      ...(user.canManageTemplates && projectKey !== undefined
        ? [{ label: 'Manage statuses', run: () => bridge.openSettings(projectKey) }]
        : []),
    ],
    [
      ...offer(user.canEditChecklist, 'Synchronize storages', () =>
        told(notify, startSynchronization(graphql, issue.issueId)),
      ),
      // What would go below rows, or in their place, is asked about.
      ...offer(user.canEditChecklist, `Import from Issue Checklist${filled ? '…' : ''}`, () =>
        filled ? onImport() : importInto(whole, 'APPEND'),
      ),
    ],
    [
      { label: 'Help and what’s new', news: true, run: () => go('/help') },
      ...offer(filled && inBrowser, 'Keyboard shortcuts', onHelp),
      ...offer(user.canDeleteChecklistItems && filled, 'Clear checklist…', onClear),
    ],
  ].filter(group => group.length > 0);
}
