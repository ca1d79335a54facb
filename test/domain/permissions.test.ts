import { expect, test } from 'vitest';
import { type PermissionFlags, permissionFlags, permissionKey } from '../../src/domain/permissions.ts';

const off = { manageEnabled: false, viewEnabled: false };
const on = { manageEnabled: true, viewEnabled: true };
const own = (...modules: string[]) => new Set(modules.map(module => permissionKey(module)));
const granted = (flags: PermissionFlags) => Object.keys(flags).filter(flag => flags[flag as keyof PermissionFlags]);

test('with both switches off, editing issues grants everything and everybody views', () => {
  expect(granted(permissionFlags(new Set(), off))).toEqual(['canViewChecklist']);
  expect(granted(permissionFlags(new Set(['EDIT_ISSUES']), off))).toEqual([
    'canAddChecklistItems',
    'canChangeItemStatuses',
    'canDeleteChecklistItems',
    'canEditChecklist',
    'canImportTemplate',
    'canSaveTemplate',
    'canViewChecklist',
  ]);
});

test('with both switches on, only our permissions count, and any of them views', () => {
  expect(granted(permissionFlags(new Set(['EDIT_ISSUES']), on))).toEqual([]);
  expect(granted(permissionFlags(own('view-checklist'), on))).toEqual(['canViewChecklist']);
  expect(granted(permissionFlags(own('change-item-statuses'), on))).toEqual([
    'canChangeItemStatuses',
    'canViewChecklist',
  ]);
  expect(permissionFlags(own('manage-checklist'), on)).toMatchObject({
    canAddChecklistItems: true,
    canChangeItemStatuses: true,
    canDeleteChecklistItems: true,
    canEditChecklist: true,
  });
});

test('administrators manage templates and may import them, even without add-items', () => {
  const project = permissionFlags(new Set(['ADMINISTER_PROJECTS']), on);
  expect(project).toMatchObject({
    isProjectAdmin: true,
    isAdmin: false,
    canManageTemplates: true,
    canImportTemplate: true,
  });
  expect(permissionFlags(new Set(['SYSTEM_ADMIN']), on)).toMatchObject({ isAdmin: true, canManageTemplates: true });
});
