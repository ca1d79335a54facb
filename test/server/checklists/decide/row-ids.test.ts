import { expect, test } from 'vitest';
import type { ChecklistEdit } from '../../../../src/domain/change.ts';
import { workOf } from '../../../../src/server/checklists/commit/request.ts';
import type { Site } from '../../../../src/server/checklists/service/site.ts';
import { hashText } from '../../../../src/server/text-workers/hash.ts';
import { createIssue } from '../../support/history.ts';

/** Rows as an editor names them: their lasting ids, and the values that its user has not decided on. */

type TextChange = Extract<ChecklistEdit, { kind: 'updateChecklistFromText' }>;
const text = (value: string, more: Partial<TextChange> = {}): TextChange => ({
  kind: 'updateChecklistFromText',
  text: value,
  ...more,
});

test('a row that an editor reworded and moved is the row that another user ticked', () => {
  const issue = createIssue();
  const { checklist } = issue.edit(text('- test one\n- test two\n- test three\n'));
  const [one = '', two = '', three = ''] = checklist.rowIds;
  issue.change(text('- test one\n+ test two\n- test three\n', { rows: [one, two, three] }), checklist);
  const { checklist: merged, conflicts } = issue.change(
    text('- something else\n- test one\n- test three\n', { rows: [two, one, three] }),
    checklist,
  );
  expect(conflicts).toEqual([]);
  expect(merged).toMatchObject({ text: '+ something else\n- test one\n- test three\n', rowIds: [two, one, three] });
});

test('a new row keeps the id that its editor gave it; unknown, repeated and malformed ids are replaced', () => {
  const issue = createIssue();
  const { checklist } = issue.edit(text('- one\n'));
  const [one = ''] = checklist.rowIds;
  const rows = [one, 'AAAAAAAA', 'AAAAAAAA', '<script>', ''];
  const { checklist: next } = issue.change(text('- one\n- two\n- three\n- four\n- five\n', { rows }), checklist);
  expect(next.rowIds.slice(0, 2)).toEqual([one, 'AAAAAAAA']);
  expect(new Set(next.rowIds).size).toBe(5);
  for (const id of next.rowIds) expect(id).toMatch(/^[\w-]{8}$/);
  // Ids for another number of rows say nothing.
  const { checklist: last } = issue.change(text('- one\n- two\n', { rows: ['BBBBBBBB'] }), next);
  expect(last.rowIds).toEqual(next.rowIds.slice(0, 2));
});

test('the ids come with a base that the server does not know, too', () => {
  const issue = createIssue();
  const { checklist } = issue.edit(text('- one\n- two\n'));
  const [one = '', two = ''] = checklist.rowIds;
  const shown = '- one\n- two\n- sent before\n';
  const base = { epoch: checklist.epoch, seq: checklist.seq, hash: hashText(shown) };
  const rows = [one, two, 'CCCCCCCC'];
  issue.change(text(shown, { rows }), checklist);
  issue.change(text('- one\n- two\n- sent before, and ticked\n', { rows }), issue.read());
  const { checklist: merged } = issue.change(
    text('- moved up and reworded\n- one\n- two\n', { rows: ['CCCCCCCC', one, two] }),
    { ...base, text: shown, rows },
  );
  expect(merged.rowIds).toEqual(['CCCCCCCC', one, two]);
});

test('a deleted row that is added again with its id is the row that others have kept', () => {
  const issue = createIssue();
  const { checklist: start } = issue.edit(text('- ship it\n- write the tests\n'));
  const [, row = ''] = start.rowIds;
  issue.change(text('- ship it\n- write all the tests\n', { rows: [...start.rowIds] }), start);
  // It was reworded and deleted before the server has answered, which knows neither text.
  const shown = '- ship it\n';
  const restored: ChecklistEdit = {
    kind: 'addChecklistItemsFromText',
    ...{ text: '- write the tests today', index: 1, rows: [row] },
  };
  const base = { ...{ epoch: start.epoch, seq: start.seq }, hash: hashText(shown), text: shown };
  const { checklist } = issue.change(restored, { ...base, rows: start.rowIds.slice(0, 1) });
  expect(checklist).toMatchObject({ text: '- ship it\n- write all the tests today\n', rowIds: start.rowIds });
});

test('what another user wrote into a row that its author could not delete stays when the author has it again', () => {
  const issue = createIssue();
  const { checklist: start } = issue.edit(text('- ship it\n- write the tests\n'));
  issue.change(text('- ship it\n- write all tests\n', { rows: [...start.rowIds] }), start, 'another-person');
  // The deletion keeps the other user's words, which its author has not seen.
  const [first = '', row = ''] = start.rowIds;
  const target = { index: 1, text: 'write the tests', id: row };
  issue.change({ kind: 'deleteChecklistItem', target }, start);
  const shown = '- ship it\n';
  const base = { epoch: start.epoch, seq: start.seq, hash: hashText(shown), text: shown };
  const { checklist } = issue.change(text('- ship it\n- write the tests today\n', { rows: [first, row] }), {
    ...base,
    rows: [first],
  });
  expect(checklist).toMatchObject({ text: '- ship it\n- write all tests today\n', rowIds: start.rowIds });
});

test('a row whose id its author does not know yet keeps what another user has made of it', () => {
  const issue = createIssue();
  const { checklist: start } = issue.edit(text('- ship it\n'));
  issue.change({ kind: 'addChecklistItemsFromText', text: '- tests' }, start);
  const added = issue.read();
  issue.change(text('- ship it\n- tests for all\n'), added, 'another-person');
  // Its author has ticked it and adds another one before any answer came.
  const shown = '- ship it\n+ tests\n';
  const base = { epoch: start.epoch, seq: start.seq, hash: hashText(shown), text: shown };
  const { checklist } = issue.change(
    { kind: 'addChecklistItemsFromText', text: '- docs' },
    { ...base, rows: [...start.rowIds, ''] },
  );
  expect(checklist.text).toBe('- ship it\n- tests for all\n- docs\n');
  expect(checklist.rowIds.slice(0, 2)).toEqual(added.rowIds);
});

test('a row whose id its author does not know yet, and has reworded, is the row that another user has reworded', () => {
  const issue = createIssue();
  const { checklist: start } = issue.edit(text('- ship it\n'));
  issue.change({ kind: 'addChecklistItemsFromText', text: '- write the tests' }, start);
  const added = issue.read();
  issue.change(text('- ship it\n- write all the tests\n'), added, 'another-person');
  const shown = '- ship it\n- write the tests today\n';
  const base = { epoch: start.epoch, seq: start.seq, hash: hashText(shown), text: shown };
  const { checklist } = issue.change(text('- ship it\n- write the tests today, please\n'), {
    ...base,
    rows: [...start.rowIds, ''],
  });
  expect(checklist.text.match(/tests/g)).toHaveLength(1);
  expect(checklist.rowIds).toEqual(added.rowIds);
});

test("a value that the user has not decided on meets the other user's as a conflict, which the history has", () => {
  const issue = createIssue();
  const { checklist: start } = issue.edit(text('- write the tests\n- ship it\n'));
  const { checklist: theirs } = issue.change(text('- write some tests\n- ship it\n'), start);
  const undecided = [{ index: 0, attribute: 'text', value: 'write the tests' }];
  const { checklist, conflicts } = issue.change(
    text('- write all the tests\n- ship it\n', { rows: [...theirs.rowIds], undecided }),
    theirs,
  );
  expect(checklist.text).toBe('- write all the tests\n- ship it\n');
  const conflict = {
    row: 'write all the tests',
    attribute: 'text',
    mine: 'write all the tests',
    theirs: 'write some tests',
    rowId: theirs.rowIds[0],
  };
  expect(conflicts).toEqual([conflict]);
  expect(issue.revisions.at(-1)?.conflicts).toEqual([conflict]);
});

test('a row that the user left as it was before takes the value of the other user', () => {
  const issue = createIssue();
  const { checklist: start } = issue.edit(text('- write the tests\n- ship it\n'));
  const { checklist: theirs } = issue.change(text('- write some tests\n- ship it\n'), start);
  const undecided = [{ index: 0, attribute: 'text', value: 'write the tests' }];
  const { checklist, conflicts } = issue.change(
    text('- write the tests\n- ship it today\n', { rows: [...theirs.rowIds], undecided }),
    theirs,
  );
  expect([checklist.text, conflicts]).toEqual(['- write some tests\n- ship it today\n', []]);
});

test('undecided values that a row cannot have, or of rows that are not there, change nothing', () => {
  const issue = createIssue();
  const { checklist } = issue.edit(text('# Header\n- one\n'));
  const undecided = [
    { index: 0, attribute: 'status', value: 'Done' },
    { index: 7, attribute: 'text', value: 'none' },
    { index: 1, attribute: 'colour', value: 'red' },
  ];
  const change = text('# Header\n- one more\n', { undecided });
  expect(issue.change(change, checklist).checklist.text).toBe('# Header\n- one more\n');
});

test('too many undecided values are refused before they are read', async () => {
  const undecided = Array.from({ length: 1_001 }, () => ({ index: 0, attribute: 'text', value: 'a' }));
  const base = { epoch: '', seq: 0, hash: '-' };
  const request = { issueId: '1', clientId: 'change', base, edit: text('- a\n', { undecided }) };
  await expect(workOf({} as Site, 'me', request)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
