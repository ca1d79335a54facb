import { edition } from './edition.ts';

/** The add-on's own permissions: module keys of the descriptor's project permissions. */
export const addonPermissions = {
  addItems: 'add-items',
  setStatus: 'change-item-statuses',
  deleteItems: 'delete-items',
  manage: 'manage-checklist',
  view: 'view-checklist',
} as const;

/** The tracker's key of an add-on permission: `{addonKey}__{moduleKey}`. */
export const permissionKey = (module: string, addonKey = edition.key): string => `${addonKey}__${module}`;

/** The tracker's own permissions that we use. */
export const hostPermissions = [
  'BROWSE_PROJECTS',
  'EDIT_ISSUES',
  'ADMINISTER_PROJECTS',
  'ADMINISTER',
  'SYSTEM_ADMIN',
] as const;

/** All keys, requested in one call, and those for a tracker that does not know our own keys yet. */
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

/** The user's permissions here. */
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

/** The permissions to change and to view a checklist. */
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
 * The flags of an account with these granted permission keys, on an issue or project visible to it. With
 * manage-permissions off, EDIT_ISSUES grants what the four add-on permissions would; with view-permissions off everyone
 * views. The server also requires BROWSE_PROJECTS, since "everyone" means everyone who can see the issue.
 */
export function permissionFlags(granted: ReadonlySet<string>, settings: PermissionSettings): PermissionFlags {
  const isGranted = (module: string) =>
    settings.manageEnabled ? granted.has(permissionKey(module)) : granted.has('EDIT_ISSUES');
  const manage = isGranted(addonPermissions.manage);
  const add = isGranted(addonPermissions.addItems) || manage;
  const status = isGranted(addonPermissions.setStatus) || manage;
  const remove = isGranted(addonPermissions.deleteItems) || manage;
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

/** The flags under an inactive license: checklists are read-only. */
export const withoutLicense = (flags: PermissionFlags): PermissionFlags => ({
  ...noPermissions,
  canManageTemplates: flags.canManageTemplates,
  canViewChecklist: flags.canViewChecklist,
  isAdmin: flags.isAdmin,
  isProjectAdmin: flags.isProjectAdmin,
});

/**
 * The part of a checklist that customers of a service project see in the portal: all of the checklist, as in
 * installations from before this choice; nothing; or the sections that are marked for customers.
 */
export const portalModes = ['ALL', 'OFF', 'SECTIONS'] as const;
export type PortalMode = (typeof portalModes)[number];
