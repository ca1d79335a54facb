import { edition } from './edition.ts';

/** The add-on's own permissions: module keys of the descriptor's project permissions. */
export const addonPermissions = {
  addItems: 'add-items',
  setStatus: 'change-item-statuses',
  deleteItems: 'delete-items',
  manage: 'manage-checklist',
  view: 'view-checklist',
} as const;

/** As the tracker names an add-on's permission: `{addonKey}__{moduleKey}`. */
export const permissionKey = (module: string, addonKey = edition.key): string => `${addonKey}__${module}`;

/** The tracker's own permissions that we ask for. */
export const hostPermissions = [
  'BROWSE_PROJECTS',
  'EDIT_ISSUES',
  'ADMINISTER_PROJECTS',
  'ADMINISTER',
  'SYSTEM_ADMIN',
] as const;

/** Everything asked at once, and what is asked when the tracker does not know our own keys yet. */
export const allPermissionKeys: readonly string[] = [
  ...Object.values(addonPermissions).map(module => permissionKey(module)),
  ...hostPermissions,
];
export const fallbackPermissionKeys: readonly string[] = hostPermissions;

/** The two switches of the settings screen. */
export interface PermissionSettings {
  manageEnabled: boolean;
  viewEnabled: boolean;
}

/** What a user may do here (spec §6). */
export interface PermissionFlags {
  canAddChecklistItems: boolean;
  canChangeItemStatuses: boolean;
  canDeleteChecklistItems: boolean;
  canEditChecklist: boolean;
  canImportTemplate: boolean;
  canManageTemplates: boolean;
  canSaveTemplate: boolean;
  canViewChecklist: boolean;
  isAdmin: boolean;
  isProjectAdmin: boolean;
}

/** Those without which changes of a checklist are refused, or its view. */
export const issueFlags = [
  'canAddChecklistItems',
  'canChangeItemStatuses',
  'canDeleteChecklistItems',
  'canEditChecklist',
  'canViewChecklist',
] as const satisfies readonly (keyof PermissionFlags)[];
export type IssueFlag = (typeof issueFlags)[number];

export const noPermissions: PermissionFlags = {
  canAddChecklistItems: false,
  canChangeItemStatuses: false,
  canDeleteChecklistItems: false,
  canEditChecklist: false,
  canImportTemplate: false,
  canManageTemplates: false,
  canSaveTemplate: false,
  canViewChecklist: false,
  isAdmin: false,
  isProjectAdmin: false,
};

/**
 * The flags of somebody whom the tracker granted these permission keys, on an issue or project that they may see.
 * With manage-permissions off, EDIT_ISSUES grants what the four add-on permissions would; with view-permissions off
 * everyone views. The server asks BROWSE_PROJECTS besides, since "everyone" means everyone who may see the issue.
 */
export function permissionFlags(granted: ReadonlySet<string>, settings: PermissionSettings): PermissionFlags {
  const own = (module: string) =>
    settings.manageEnabled ? granted.has(permissionKey(module)) : granted.has('EDIT_ISSUES');
  const manage = own(addonPermissions.manage);
  const add = own(addonPermissions.addItems) || manage;
  const status = own(addonPermissions.setStatus) || manage;
  const remove = own(addonPermissions.deleteItems) || manage;
  const isAdmin = granted.has('ADMINISTER') || granted.has('SYSTEM_ADMIN');
  const isProjectAdmin = granted.has('ADMINISTER_PROJECTS');
  const canManageTemplates = isAdmin || isProjectAdmin;
  const canImportTemplate = canManageTemplates || add;
  return {
    canAddChecklistItems: add,
    canChangeItemStatuses: status,
    canDeleteChecklistItems: remove,
    canEditChecklist: manage,
    canManageTemplates,
    canImportTemplate,
    canSaveTemplate: canImportTemplate,
    canViewChecklist:
      !settings.viewEnabled || add || status || remove || granted.has(permissionKey(addonPermissions.view)),
    isAdmin,
    isProjectAdmin,
  };
}

/** The same where the platform says that the license is not active: checklists can be read, and nothing of them changed. */
export const withoutLicense = (flags: PermissionFlags): PermissionFlags => ({
  ...noPermissions,
  canManageTemplates: flags.canManageTemplates,
  canViewChecklist: flags.canViewChecklist,
  isAdmin: flags.isAdmin,
  isProjectAdmin: flags.isProjectAdmin,
});
