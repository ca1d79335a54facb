import { settings as messages, refusals, templates as templateMessages } from '../../domain/messages.ts';
import { addonPermissions, permissionKey, portalModes } from '../../domain/permissions.ts';
import { appAuthor } from '../../domain/person.ts';
import { isYes, storageKey, yesNo } from '../../domain/storage.ts';
import { demoTemplate } from '../../domain/templates.ts';
import { isSiteAdmin, requireAdmin } from '../access/project-permissions.ts';
import type { Refusing } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import { hasChecklist } from '../platform/connect/session.ts';
import type { Tenant, Tenants } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { listFields } from '../platform/tracker/fields.ts';
import { isIssueId, SERVICE_PROJECT } from '../platform/tracker/issue.ts';
import { siteName } from '../platform/tracker/permissions.ts';
import { type FoundProject, findProject, writeProjectProperty } from '../platform/tracker/projects.ts';
import { findHolders } from '../platform/tracker/users.ts';
import type { WantedCopies } from '../queue/wanted-copies.ts';
import { publish } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';
import { countTemplates, getTemplate } from '../templates/templates.ts';
import { loadSettings, removeData, savePortal, saveSettings } from './records.ts';
import type { ProjectSettingsView, Settings, SiteSettings, SiteSettingsView, TextField } from './types.ts';

export interface SettingsOptions {
  store: Store;
  tenants: Pick<Tenants, 'change'>;
  caller: Caller;
  tracker: Tracker;
  copies: WantedCopies;
  /** Makes the tracker's copies of all checklists due now. Resolves with whether any are. */
  finishCopies(tenant: string): Promise<boolean>;
  /** Erases a person from all that is stored. Resolves with the number of changed checklists. */
  erase(tenant: Tenant, account: string, by: string): Promise<number | undefined>;
  refusing: Refusing;
}

const IN_CENTER_PROPERTY = storageKey('show-in-center-panel');

/** Whether this can be an account id of a person. */
const isAccountId = (id: string): boolean => /^[\w:.-]{1,128}$/.test(id) && appAuthor(id) === undefined;

/** The permissions to list: without the app's own ones, Edit issues grants the same. */
const listedPermissions = (manageEnabled: boolean): string[] => [
  ...(manageEnabled ? Object.values(addonPermissions).map(module => permissionKey(module)) : ['EDIT_ISSUES']),
  'ADMINISTER_PROJECTS',
];

export function callersSettings(options: SettingsOptions): Settings {
  const { store, tenants, caller, tracker, copies, finishCopies, erase, refusing } = options;
  const { tenant } = caller;

  async function view(): Promise<SiteSettingsView> {
    const stored = await store.tenant(tenant.id, tx => loadSettings(tx, tenant.id));
    return { ...stored, fields: (await listFields(tracker)).filter(({ text }) => text) };
  }

  async function site(): Promise<SiteSettingsView> {
    await requireAdmin(caller, tracker, null);
    return view();
  }

  async function requireField(chosen: TextField): Promise<void> {
    if (chosen.mode !== 'CHOSEN') return;
    const isTextField = (await listFields(tracker)).some(({ id, text }) => text && id === chosen.field);
    if (!isTextField) throw new Refused('NOT_FOUND', messages.noField, 'textFieldId');
  }

  async function updateSite(values: Partial<SiteSettings>): Promise<SiteSettingsView> {
    await requireAdmin(caller, tracker, null);
    if (values.textField) await requireField(values.textField);
    await tenants.change(tenant.id, async tx => {
      const id = values.gettingStartedTemplate;
      if (id != null && (await getTemplate(tx, tenant.id, id))?.project !== null) {
        throw new Refused('NOT_FOUND', templateMessages.notFound, 'gettingStartedTemplateId');
      }
      await saveSettings(tx, tenant.id, values);
    });
    return view();
  }

  /** The project. Rejects unless the caller administers it. */
  async function administered(id: string) {
    await requireAdmin(caller, tracker, id);
    const project = isIssueId(id) ? await findProject(tracker, id, [IN_CENTER_PROPERTY]) : undefined;
    if (!project) throw new Refused('NOT_FOUND', messages.noProject, 'projectId');
    return project;
  }

  /** The modes that can be chosen for a portal. `ALL` can be chosen only if the installation had that mode before. */
  const offered = portalModes.filter(mode => mode !== 'ALL' || tenant.portal.fallback === 'ALL');

  const viewOf = ({ id, properties, projectTypeKey }: FoundProject): ProjectSettingsView => ({
    showInCenter: isYes(properties[IN_CENTER_PROPERTY]),
    portal: tenant.portal.projects.get(id) ?? tenant.portal.fallback,
    service: projectTypeKey === SERVICE_PROJECT,
    portalModes: offered,
  });

  const project: Settings['project'] = async id => viewOf(await administered(id));

  const updateProject: Settings['updateProject'] = async (id, { showInCenter, portal }) => {
    const foundProject = await administered(id);
    if (portal !== undefined && !offered.includes(portal))
      throw new Refused('NOT_FOUND', messages.noPortalMode, 'portal');
    if (showInCenter !== undefined)
      await writeProjectProperty(tracker, foundProject.id, IN_CENTER_PROPERTY, yesNo(showInCenter));
    await tenants.change(tenant.id, async tx => {
      if (portal !== undefined) await savePortal(tx, tenant.id, foundProject.id, portal);
      await publish(tx, tenant.id, { kind: 'settings' });
    });
    return { ...viewOf(foundProject), ...(showInCenter !== undefined && { showInCenter }), ...(portal && { portal }) };
  };

  const holders: Settings['holders'] = async id => {
    const { key } = await administered(id);
    const listed = listedPermissions(tenant.settings.manage_permissions_enabled);
    return Promise.all(
      listed.map(async permission => {
        const foundHolders = await findHolders(tracker, caller.account, key, siteName(tenant, permission));
        return { permission, known: foundHolders !== undefined, ...(foundHolders ?? { accounts: [], more: false }) };
      }),
    );
  };

  const gettingStarted: Settings['gettingStarted'] = async () => {
    if (!(await isSiteAdmin(caller, tracker))) throw new Refused('FORBIDDEN', refusals.permission);
    const isUsed = await hasChecklist(store, tenant.id);
    return store.tenant(tenant.id, async tx => {
      const { gettingStartedTemplate } = await loadSettings(tx, tenant.id);
      const template = gettingStartedTemplate && (await getTemplate(tx, tenant.id, gettingStartedTemplate));
      return {
        hasChecklist: isUsed,
        hasTemplate: (await countTemplates(tx, tenant.id, null)) > 0,
        template: template ? { id: template.id, name: template.name } : null,
        demo: demoTemplate,
      };
    });
  };

  const workflowRulesEdited: Settings['workflowRulesEdited'] = async () => {
    await requireAdmin(caller, tracker, null);
    await store.tenant(tenant.id, tx => publish(tx, tenant.id, { kind: 'workflowRules' }));
  };

  const remove: Settings['removeData'] = async confirm => {
    await requireAdmin(caller, tracker, null);
    if (confirm.trim().replace(/\/+$/, '') !== tenant.url) {
      throw new Refused('UNCONFIRMED', messages.unconfirmed, 'confirm');
    }
    // Only the copies remain of the checklists.
    if (await finishCopies(tenant.id)) throw new Refused('BUSY', messages.copiesPending);
    await tenants.change(tenant.id, async tx => {
      await removeData(tx, tenant.id);
      await copies.want(tx, tenant.id);
    });
    copies.wake();
  };

  const erasePerson: Settings['erasePerson'] = async account => {
    await requireAdmin(caller, tracker, null);
    const accountId = account.trim();
    if (!isAccountId(accountId)) throw new Refused('NOT_FOUND', messages.noAccount, 'accountId');
    const changed = await erase(tenant, accountId, caller.account);
    if (changed === undefined) throw new Refused('NOT_FOUND', messages.nothingOfAccount, 'accountId');
    return changed;
  };

  return {
    erasePerson: account => refusing(erasePerson(account)),
    site: () => refusing(site()),
    updateSite: values => refusing(updateSite(values)),
    project: id => refusing(project(id)),
    updateProject: (id, values) => refusing(updateProject(id, values)),
    holders: id => refusing(holders(id)),
    gettingStarted: () => refusing(gettingStarted()),
    workflowRulesEdited: () => refusing(workflowRulesEdited()),
    removeData: confirm => refusing(remove(confirm)),
  };
}
