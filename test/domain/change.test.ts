import { expect, test } from 'vitest';
import { type ChecklistChange, changeFailure, flagsFor, isEdit, typedTexts } from '../../src/domain/change.ts';
import { failures } from '../../src/domain/messages.ts';

const target = { index: 0, text: 'a' };
const tick = { kind: 'setItemStatus', target, status: 'done' } as const;
const remove = { kind: 'deleteChecklistItem', target } as const;
const reword = { kind: 'updateChecklistItem', target, values: { text: 'b', details: 'c', assignee: null } } as const;
const several = (...edits: Extract<ChecklistChange, { kind: 'changeChecklistItems' }>['edits']) =>
  ({ kind: 'changeChecklistItems', edits }) as const;

test('a change of several rows needs what each of them needs, once', () => {
  expect(flagsFor(several(tick, tick, remove))).toEqual(['canChangeItemStatuses', 'canDeleteChecklistItems']);
});

test('a template that takes the place of rows needs the permission to delete them, too', () => {
  const template = { kind: 'applyTemplateToChecklist', templateIds: ['1'] } as const;
  expect(flagsFor({ ...template, mode: 'APPEND' })).toEqual(['canImportTemplate']);
  expect(flagsFor({ ...template, mode: 'REPLACE' })).toEqual(['canImportTemplate', 'canDeleteChecklistItems']);
});

test('a change of several rows fails in the words of its kind, or of the one kind that it is made of', () => {
  expect(changeFailure(remove)).toBe(failures.deleteItem);
  expect(changeFailure(several(remove, remove))).toBe(failures.deleteItem);
  expect(changeFailure(several(remove, tick))).toBe(failures.updateChecklist);
  expect(changeFailure(several())).toBe(failures.updateChecklist);
});

test('what was typed for a change is its text and its details', () => {
  expect(typedTexts(tick)).toEqual([]);
  expect(typedTexts({ kind: 'addChecklistItemsFromText', text: 'x' })).toEqual(['x']);
  expect(typedTexts(several(tick, reword))).toEqual(['b', 'c']);
});

test('only what needs nothing from the server shows before it is acknowledged', () => {
  expect(isEdit(tick)).toBe(true);
  expect(isEdit({ kind: 'restoreChecklistRevision', epoch: 'e', seq: 1 })).toBe(false);
});
