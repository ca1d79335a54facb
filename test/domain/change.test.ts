import { expect, test } from 'vitest';
import {
  type ChecklistChange,
  changeFailure,
  flagsFor,
  isEdit,
  typedTexts,
  valueCount,
} from '../../src/domain/change.ts';
import { failures } from '../../src/domain/messages.ts';

const target = { index: 0, text: 'a' };
const tick = { kind: 'setItemStatus', target, status: 'done' } as const;
const remove = { kind: 'deleteChecklistItem', target } as const;
const reword = { kind: 'updateChecklistItem', target, values: { text: 'b', details: 'c', assignee: null } } as const;
const several = (...edits: Extract<ChecklistChange, { kind: 'changeChecklistItems' }>['edits']) =>
  ({ kind: 'changeChecklistItems', edits }) as const;

test('a change of several rows requires each row’s permissions, once', () => {
  expect(flagsFor(several(tick, tick, remove))).toEqual(['canChangeItemStatuses', 'canDeleteChecklistItems']);
});

test('a template that replaces rows also requires the permission to delete them', () => {
  const template = { kind: 'applyTemplateToChecklist', templateIds: ['1'] } as const;
  expect(flagsFor({ ...template, mode: 'APPEND' })).toEqual(['canImportTemplate']);
  expect(flagsFor({ ...template, mode: 'REPLACE' })).toEqual(['canImportTemplate', 'canDeleteChecklistItems']);
});

test('a change of several rows fails with its kind’s message, or that of the one kind of its parts', () => {
  expect(changeFailure(remove)).toBe(failures.deleteItem);
  expect(changeFailure(several(remove, remove))).toBe(failures.deleteItem);
  expect(changeFailure(several(remove, tick))).toBe(failures.updateChecklist);
  expect(changeFailure(several())).toBe(failures.updateChecklist);
});

test('the typed texts of a change are its text and its details', () => {
  expect(typedTexts(tick)).toEqual([]);
  expect(typedTexts({ kind: 'addChecklistItemsFromText', text: 'x' })).toEqual(['x']);
  expect(typedTexts(several(tick, reword))).toEqual(['b', 'c']);
});

test('only changes computed by the client show before they are acknowledged', () => {
  expect(isEdit(tick)).toBe(true);
  expect(isEdit({ kind: 'restoreChecklistRevision', epoch: 'e', seq: 1 })).toBe(false);
});

test('a change counts each value of its rows, gates too, and names are no values', () => {
  expect(valueCount(several(tick, remove))).toBe(2);
  expect(valueCount(several(reword, tick))).toBe(4);
  const values = { assignee: null, names: { a: 'Ana' }, gates: ['Done', 'Closed'] };
  expect(valueCount({ kind: 'updateChecklistItem', target, values })).toBe(3);
});
