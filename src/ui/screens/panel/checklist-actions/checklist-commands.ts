import { startSynchronization } from '../../../../client/jobs.ts';
import { failures, whole } from '../../../../domain/messages.ts';
import { nameIn } from '../../../../text/export/person.ts';
import { type ExportNotation, exportChecklist } from '../../../../text/export.ts';
import { listCommands } from '../../../checklist/list/list-commands.ts';
import type { Command } from '../../../commands/command.ts';
import { copyText, download } from '../../../kit/copy-and-download.ts';
import { applyDemo, type CommandContext, importInto, manageTemplates, reportJob } from './commands.ts';
import { printChecklist } from './print-sheet.ts';

/** Spreadsheets detect the encoding by this mark. */
const BYTE_ORDER_MARK = '\ufeff';

const hasRows = ({ view }: CommandContext) => view.model.rows.length > 0;
/** The tracker's mobile app embeds a web view without printing, downloads and a keyboard. */
const isInBrowser = ({ surface }: CommandContext) => surface !== 'mobile';
/** A customer of the portal is assigned no items. */
const isPerson = ({ user, surface }: CommandContext) => !user.isAnonymous && surface !== 'portal';

const textOf = ({ view, names }: CommandContext, notation: ExportNotation) =>
  exportChecklist(view.model, notation, { nameOf: nameIn(names()) });

/** Copies the checklist as a Markdown task list and reports whether the browser permitted it. */
async function copyMarkdown(context: CommandContext): Promise<void> {
  const done = await copyText(textOf(context, 'github'));
  context.notify(done ? whole.copied : whole.notCopied, done ? 'success' : 'error');
}

/** A command by its title, with the group of the menu that shows it. */
const command = (
  group: string,
  title: string,
  isOffered: Command<CommandContext>['isOffered'],
  run: Command<CommandContext>['run'],
  rest: Partial<Command<CommandContext>> = {},
): Command<CommandContext> => ({ id: title, title, group, appliesTo: 'checklist', isOffered, run, ...rest });

const canImport = ({ user }: CommandContext) => user.canImportTemplate;
const canEdit = ({ user }: CommandContext) => user.canEditChecklist;
const canSave = (context: CommandContext) => context.user.canSaveTemplate && hasRows(context);
const canRename = (context: CommandContext) => canEdit(context) && hasRows(context);
const canClear = (context: CommandContext) => context.user.canDeleteChecklistItems && hasRows(context);
const canExport = (context: CommandContext) => hasRows(context) && isInBrowser(context);
const goTo = (path: string) => (context: CommandContext) => context.go(path);

/** The commands on the checklist, in the order of its menu. */
export const checklistCommands: readonly Command<CommandContext>[] = [
  command('templates', 'Apply template…', canImport, context => context.onTemplates()),
  command('templates', 'Save as template…', canSave, goTo('/save-template')),
  command('templates', 'Add demo checklist', canImport, applyDemo),
  command('export', 'Copy as Markdown', hasRows, context => void copyMarkdown(context)),
  command('export', 'Export as CSV', canExport, context =>
    download(`${context.issue.issueKey}.csv`, 'text/csv', BYTE_ORDER_MARK + textOf(context, 'csv')),
  ),
  command('export', 'Print', canExport, ({ bridge, issue, view, onFailure }) => {
    onFailure(undefined);
    printChecklist(bridge, issue, view).catch(() => onFailure(failures.unknown));
  }),
  command('pages', 'History', ({ user }) => user.canViewChecklist, goTo('/history')),
  command(
    'pages',
    'Assigned items',
    // The tracker has no pages of apps in its portal and its mobile app.
    context => isPerson(context) && isInBrowser(context),
    ({ bridge }) => bridge.openAssigned(),
  ),
  command('pages', 'Mute or unmute notifications', isPerson, context => context.onMute(), {
    label: ({ muted }) => (muted ? 'Unmute notifications' : 'Mute notifications'),
  }),
  command('pages', 'Notification settings', isPerson, goTo('/notifications')),
  command('pages', 'Manage templates', ({ user }) => user.canManageTemplates, manageTemplates),
  command(
    'pages',
    'Manage statuses',
    ({ user, projectKey }) => user.canManageTemplates && projectKey !== undefined,
    ({ bridge, projectKey }) => projectKey !== undefined && bridge.openSettings(projectKey),
  ),
  command(
    'jobs',
    'Repair copies',
    canEdit,
    context => void reportJob(context, startSynchronization(context.graphql, context.issue.issueId)),
  ),
  command(
    'jobs',
    'Import from Issue Checklist',
    canEdit,
    context => (hasRows(context) ? context.onImport() : importInto(context, 'APPEND')),
    // Asks for the target if there are rows.
    { label: context => `Import from Issue Checklist${hasRows(context) ? '…' : ''}` },
  ),
  command('about', 'Help and what’s new', () => true, goTo('/help'), { news: true }),
  listCommands.palette,
  listCommands.help,
  command('about', 'Rename checklist…', canRename, context => context.onRename()),
  command('about', 'Clear checklist…', canClear, context => context.onClear()),
];
