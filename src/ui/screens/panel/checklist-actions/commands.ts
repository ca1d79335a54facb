import { type RefObject, useEffect } from 'react';
import type { HostBridge } from '../../../../bridge/bridge.ts';
import type { ChecklistStore, ChecklistView } from '../../../../client/checklist.ts';
import type { GraphqlClient } from '../../../../client/graphql.ts';
import {
  type ImportMode,
  jobOutcome,
  type Outcome,
  type Started,
  startImport,
  startSynchronization,
} from '../../../../client/jobs.ts';
import type { IssueRef } from '../../../../client/reading.ts';
import { failures, successes } from '../../../../domain/messages.ts';
import type { Surface } from '../../../../domain/pages.ts';
import type { User } from '../../../../domain/user.ts';
import type { Checklist } from '../../../../text/types.ts';
import type { MenuAction } from '../../../kit/action-menu.tsx';
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
  const label = names.length === 1 ? `Imported “${names[0]}”` : `Imported ${names.length} templates`;
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
export interface CommandContext {
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
  onHelp(): void;
  /** Opens the palette of all commands. */
  onPalette(): void;
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

export interface Command extends MenuAction {
  /** As in the editor's table: `Mod-z`. */
  key?: string;
  /** Marked while there is unread news. */
  news?: boolean;
}

/** What each part of the panel adds to its palette: the bar, the selection's toolbar, the foot. */
export type Offers = Partial<Record<'bar' | 'selection' | 'foot', () => readonly Command[]>>;

/** Offers commands in the palette while the component is mounted. */
export function useOffers(
  { current: offers }: RefObject<Offers>,
  part: keyof Offers,
  commands: () => readonly Command[],
): void {
  useEffect(() => {
    offers[part] = commands;
    return () => {
      delete offers[part];
    };
  });
}

/** Reports the start of a job on the checklist, and its result. */
async function reportJob(context: CommandContext, work: Promise<Started>): Promise<void> {
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
function applyDemo({ store, actions }: CommandContext): void {
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

/** The menu's entry for the palette, which the palette leaves out. */
export const PALETTE = 'Commands…';

/** What the loaded menu and palette can do at once: browsers permit copying only during a click. */
export interface Sharing {
  copyMarkdown(shared: Shared, notify: Notify): Promise<void>;
  downloadCsv(shared: Shared, name: string): void;
  printChecklist(bridge: HostBridge, issue: IssueRef, view: ChecklistView): Promise<void>;
}

/** A checklist to export, with the people's names loaded so far. */
export interface Shared {
  checklist: Checklist;
  names: Readonly<Record<string, string>>;
}

/** The user's permitted commands on the checklist, in the menu's groups. */
export function commandsOf(context: CommandContext, sharing: Sharing): Command[][] {
  const { issue, view, user, bridge, graphql, surface, projectKey, notify, go, names, onHelp } = context;
  const { onTemplates, onClear, onImport, muted, onMute, onFailure } = context;
  const { rows } = view.model;
  const filled = rows.length > 0;
  const offer = (available: boolean, label: string, run: () => void): Command[] => (available ? [{ label, run }] : []);
  const shared = () => ({ checklist: view.model, names: names() });
  // The tracker's mobile app embeds a web view without printing, downloads and a keyboard.
  const inBrowser = surface !== 'mobile';
  // A customer of the portal is assigned no items.
  const isPerson = !user.isAnonymous && surface !== 'portal';
  return [
    [
      ...offer(user.canImportTemplate, 'Import template…', onTemplates),
      ...offer(user.canSaveTemplate && filled, 'Save as template…', () => go('/save-template')),
      ...offer(user.canImportTemplate, 'Add demo checklist', () => applyDemo(context)),
    ],
    [
      ...offer(filled, 'Copy as Markdown', () => void sharing.copyMarkdown(shared(), notify)),
      ...offer(filled && inBrowser, 'Export as CSV', () => sharing.downloadCsv(shared(), issue.issueKey)),
      ...offer(filled && inBrowser, 'Print', () => {
        onFailure(undefined);
        sharing.printChecklist(bridge, issue, view).catch(() => onFailure(failures.unknown));
      }),
    ],
    [
      ...offer(user.canViewChecklist, 'History', () => go('/history')),
      // The tracker has no pages of apps in its portal and its mobile app.
      ...offer(!user.isAnonymous && inBrowser && surface !== 'portal', 'Assigned items', () => bridge.openAssigned()),
      ...offer(isPerson, muted ? 'Unmute notifications' : 'Mute notifications', onMute),
      ...offer(isPerson, 'Notification settings', () => go('/notifications')),
      ...offer(user.canManageTemplates, 'Manage templates', () => manageTemplates(context)),
      ...(user.canManageTemplates && projectKey !== undefined
        ? [{ label: 'Manage statuses', run: () => bridge.openSettings(projectKey) }]
        : []),
    ],
    [
      ...offer(
        user.canEditChecklist,
        'Synchronize storages',
        () => void reportJob(context, startSynchronization(graphql, issue.issueId)),
      ),
      // Asks for the target if there are rows.
      ...offer(user.canEditChecklist, `Import from Issue Checklist${filled ? '…' : ''}`, () =>
        filled ? onImport() : importInto(context, 'APPEND'),
      ),
    ],
    [
      { label: 'Help and what’s new', news: true, run: () => go('/help') },
      ...(inBrowser ? [{ label: PALETTE, key: 'F1', run: context.onPalette }] : []),
      ...(filled && inBrowser ? [{ label: 'Keyboard shortcuts', key: '?', run: onHelp }] : []),
      ...offer(user.canEditChecklist && filled, 'Rename checklist…', context.onRename),
      ...offer(user.canDeleteChecklistItems && filled, 'Clear checklist…', onClear),
    ],
  ].filter(group => group.length > 0);
}
