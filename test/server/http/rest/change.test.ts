import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { changeAnswer, checklist, problem, revisions } from '../../../../src/domain/api/schemas.ts';
import { storage } from '../../../../src/domain/messages.ts';
import { callApi, createToken } from '../../support/api.ts';
import { appOf, startApp } from '../../support/app.ts';
import { newIssue, tick, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { putTemplate } from '../../support/put-template.ts';
import { onStore } from '../../support/stores.ts';
import { ADDON_ACCOUNT } from '../../support/tracker.ts';

const item = (index: number, text: string) => ({ index, text });
const done = (index: number, text: string) => ({ kind: 'setItemStatus', target: item(index, text), status: 'done' });

onStore(use => {
  const it = appOf(beforeAll, () => startApp(use().store));
  let token: string;
  beforeAll(async () => {
    token = (await createToken(use().store, it, { name: 'Build server' })).secret;
  });

  const issueWith = async (text: string) => {
    const issue = await newIssue(it);
    await issue.edit(update(text));
    return issue;
  };
  const send = (issue: string, body: unknown, headers: Record<string, string> = {}, secret = token) =>
    callApi(it, secret, `/issues/${issue}/checklist/changes`, { body, headers });
  const change = async (issue: string, body: unknown, headers: Record<string, string> = { 'if-match': '*' }) => {
    const answer = await send(issue, body, headers);
    expect(answer.status, answer.text).toBe(200);
    return { ...v.parse(changeAnswer, answer.json()), etag: String(answer.headers.etag) };
  };
  const refusal = async (issue: string, body: unknown, headers: Record<string, string> = { 'if-match': '*' }) => {
    const answer = await send(issue, body, headers);
    const found = v.parse(problem, answer.json());
    expect(answer.status).toBe(found.status);
    return found;
  };
  const read = async (issue: string) => {
    const answer = await callApi(it, token, `/issues/${issue}/checklist`);
    return { ...v.parse(checklist, answer.json()), etag: String(answer.headers.etag) };
  };

  test('a change on the revision that was read is made, and recorded as the token’s', async () => {
    const issue = await issueWith('- a\n- b');
    const { etag, rows } = await read(issue.id);
    const made = await change(issue.id, { change: done(0, 'a') }, { 'if-match': etag });
    expect(made).toMatchObject({ text: '+ a\n- b', dryRun: false, conflicts: [], diagnostics: [], issueKey: null });
    expect(made.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(made.etag).toBe(`"${made.revision}"`);
    expect(made.revision).toBe((await read(issue.id)).revision);
    expect(await issue.text()).toBe('+ a\n- b');
    const list = await callApi(it, token, `/issues/${issue.id}/checklist/revisions?first=1`);
    expect(v.parse(revisions, list.json()).revisions).toMatchObject([
      { author: 'api:Build server', kind: 'setItemStatus', revision: made.revision },
    ]);
  });

  test('If-Match refuses a change of a revision that is no longer the newest, and stores nothing', async () => {
    const issue = await issueWith('- a\n- b');
    const { etag } = await read(issue.id);
    await issue.edit(tick(1, 'b'));
    expect(await refusal(issue.id, { change: done(0, 'a') }, { 'if-match': etag })).toMatchObject({
      ...{ status: 412, code: 'REVISION_CHANGED' },
    });
    expect((await issue.read()).text).toBe('- a\n+ b');
    // Of an issue without a checklist, too.
    const empty = await newIssue(it);
    const before = (await read(empty.id)).etag;
    const add = { change: { kind: 'addChecklistItemsFromText', text: 'a' } };
    expect(await change(empty.id, add, { 'if-match': before })).toMatchObject({ text: '- a' });
    expect((await refusal(empty.id, add, { 'if-match': before })).status).toBe(412);
  });

  test('a change on a base is merged with later changes, and names conflicts', async () => {
    const issue = await issueWith('- a\n- b');
    const { revision } = await read(issue.id);
    await issue.edit(tick(0, 'a', 'skipped'));
    await issue.edit(update('x a\n- b\n- c'));
    const base = { revision };
    expect(await change(issue.id, { change: done(1, 'b'), base }, {})).toMatchObject({ text: 'x a\n+ b\n- c' });
    const made = await change(issue.id, { change: done(0, 'a'), base }, {});
    expect(made).toMatchObject({ text: '+ a\n+ b\n- c', conflicts: [{ row: 'a', attribute: 'status' }] });

    const unknown = { revision: `past.7.${'0'.repeat(32)}` };
    expect(await refusal(issue.id, { change: done(2, 'c'), base: unknown }, {})).toMatchObject({
      ...{ status: 409, code: 'BASE_UNKNOWN', detail: storage.baseUnknown },
    });
    const sent = { ...unknown, text: '- a\n- c' };
    expect(await change(issue.id, { change: done(1, 'c'), base: sent }, {})).toMatchObject({ text: '+ a\n+ b\n+ c' });
  });

  test('without If-Match and base, a change is refused; with both, too', async () => {
    const issue = await issueWith('- a');
    const { revision, etag } = await read(issue.id);
    expect(await refusal(issue.id, { change: done(0, 'a') }, {})).toMatchObject({ status: 428, code: 'BASE_REQUIRED' });
    const both = await refusal(issue.id, { change: done(0, 'a'), base: { revision } }, { 'if-match': etag });
    expect(both.status).toBe(400);
    for (const match of ['nonsense', '"nonsense"', etag.slice(0, -1), `${etag}, ${etag}`, `w/${etag}`]) {
      expect((await refusal(issue.id, { change: done(0, 'a') }, { 'if-match': match })).status, match).toBe(400);
    }
    expect((await issue.read()).text).toBe('- a');
  });

  test('a row that is not there any more is a conflict, and an edit that the language cannot make is refused', async () => {
    const issue = await issueWith('- a\n# Head');
    expect(await refusal(issue.id, { change: done(0, 'gone') })).toMatchObject({
      status: 409,
      code: 'CHANGED_MEANWHILE',
    });
    expect(await refusal(issue.id, { change: done(1, 'Head') })).toMatchObject({
      ...{ status: 422, code: 'NOT_AN_ITEM', field: 'target' },
    });
    const status = { kind: 'setItemStatus', target: item(0, 'a'), status: 'none' };
    expect(await refusal(issue.id, { change: status })).toMatchObject({ code: 'UNKNOWN_STATUS', field: 'status' });
    const large = { kind: 'updateChecklistFromText', text: `- ${'a'.repeat(40_000)}` };
    expect(await refusal(issue.id, { change: large })).toMatchObject({ status: 422, code: 'TOO_LARGE' });
  });

  test('a dry run answers text and diagnostics, and stores nothing', async () => {
    const issue = await issueWith('- a');
    const before = await read(issue.id);
    const text = '- a\n- Call @Ana\n- a';
    const dry = await change(issue.id, { change: { kind: 'updateChecklistFromText', text }, dryRun: true });
    expect(dry).toMatchObject({ text, dryRun: true, revision: before.revision, progress: { total: 3 } });
    expect(dry.diagnostics.map(({ code, row, text, line }) => [code, row, text, line])).toEqual([
      ['UNRESOLVED_MENTION', 1, 'Call @Ana', 2],
      ['DUPLICATE_ITEM', 2, 'a', 3],
    ]);
    expect(await read(issue.id)).toEqual(before);
    await it.settled();
    expect(await read(issue.id)).toEqual(before);
    // What would be refused is refused.
    expect((await refusal(issue.id, { change: done(0, 'gone'), dryRun: true })).code).toBe('CHANGED_MEANWHILE');
    const stale = { ...{ change: done(0, 'a') }, dryRun: true };
    await issue.edit(update('- b'));
    expect((await refusal(issue.id, stale, { 'if-match': before.etag })).status).toBe(412);
    // Also of an issue that the app did not know.
    const unknown = await newIssue(it);
    const add = { change: { kind: 'addChecklistItemsFromText', text: 'a' }, dryRun: true };
    expect(await change(unknown.id, add)).toMatchObject({ text: '- a' });
    expect(await read(unknown.id)).toMatchObject({ text: '' });
  });

  test('a change with diagnostics is refused with their rows, unless they are accepted', async () => {
    const issue = await issueWith('- a\n- a');
    const add = { kind: 'addChecklistItemsFromText', text: 'Until 2026-02-31\nb' };
    const refused = await refusal(issue.id, { change: add });
    expect(refused).toMatchObject({ status: 422, code: 'DIAGNOSTICS', field: 'change' });
    expect(refused.diagnostics).toMatchObject([{ code: 'IMPOSSIBLE_DATE', row: 2, line: 3 }]);
    expect((await issue.read()).text).toBe('- a\n- a');
    // Those that were there before are not the change's.
    expect(await change(issue.id, { change: done(0, 'a') })).toMatchObject({ diagnostics: [] });
    const key = { 'if-match': '*', 'idempotency-key': randomUUID() };
    const body = { change: add, diagnostics: 'report' };
    const made = await change(issue.id, body, key);
    expect(made.diagnostics).toEqual(refused.diagnostics);
    expect((await change(issue.id, body, key)).diagnostics).toEqual(refused.diagnostics);
  });

  test('a repeated request with its key is answered as before; another one with that key is refused', async () => {
    const issue = await issueWith('- a');
    const { etag } = await read(issue.id);
    const headers = { 'if-match': etag, 'idempotency-key': randomUUID() };
    const body = { change: { kind: 'addChecklistItemsFromText', text: 'b' } };
    const first = await change(issue.id, body, headers);
    await issue.edit(update('- a\n- b\n- c'));
    // On a revision that is no longer the newest, since the first request was made on it.
    expect(await change(issue.id, body, headers)).toEqual(first);
    expect(await change(issue.id, body, { ...headers, 'idempotency-key': `"${headers['idempotency-key']}"` })).toEqual(
      first,
    );
    expect((await issue.read()).text).toBe('- a\n- b\n- c');

    const other = { change: { kind: 'addChecklistItemsFromText', text: 'other' } };
    expect(await refusal(issue.id, other, headers)).toMatchObject({ status: 409, code: 'KEY_REUSED' });
    const elsewhere = await issueWith('- a');
    expect(await refusal(elsewhere.id, body, headers)).toMatchObject({ status: 409, code: 'KEY_REUSED' });
    // Keys are each token's own.
    const second = await createToken(use().store, it);
    expect((await send(elsewhere.id, body, { ...headers, 'if-match': '*' }, second.secret)).status).toBe(200);
    // A key that was dropped does not hide another change.
    await use().raw('delete from api_request');
    expect(await change(issue.id, other, { ...headers, 'if-match': '*' })).toMatchObject({
      text: '- a\n- b\n- c\n- other',
    });
    for (const key of ['', ' ', 'a b', 'x'.repeat(81), 'ü']) {
      expect((await refusal(issue.id, body, { 'if-match': '*', 'idempotency-key': key })).status, key).toBe(400);
    }
  });

  test('requests with one key at the same time make one change', async () => {
    const issue = await issueWith('- a');
    const headers = { 'if-match': '*', 'idempotency-key': randomUUID() };
    const body = { change: { kind: 'addChecklistItemsFromText', text: 'b' } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => change(issue.id, body, headers)));
    expect(new Set(answers.map(({ revision }) => revision)).size).toBe(1);
    expect((await issue.read()).text).toBe('- a\n- b');
  });

  test('every kind of change can be made', async () => {
    await use().store.tenant(it.tenant.id, tx =>
      putTemplate(tx, it.tenant.id, 'admin', { id: 'site', project: null, name: 'Site', text: '- s' }),
    );
    const issue = await issueWith('- a\n- b');
    const first = (await issue.read()).seq;
    const made = async (edit: object) => (await change(issue.id, { change: edit })).text;
    expect(await made(done(0, 'a'))).toBe('+ a\n- b');
    const values = { text: 'c', mandatory: true, assignee: 'ana', dueDate: '2026-12-01', details: 'more' };
    expect(await made({ kind: 'updateChecklistItem', target: item(1, 'b'), values })).toContain('- ! c');
    expect(await made({ kind: 'deleteChecklistItem', target: item(0, 'a') })).not.toContain('+ a');
    expect(await made({ kind: 'updateChecklistFromText', text: '# One\n- a\n# Two\n- b' })).toContain('# Two');
    const edits = [done(1, 'a'), done(3, 'b')];
    expect(await made({ kind: 'changeChecklistItems', edits })).toBe('# One\n+ a\n# Two\n+ b');
    const move = { kind: 'moveChecklistItem', targets: [item(2, 'Two')], section: true, index: 0 };
    expect(await made(move)).toMatch(/^# Two\n\+ b\n# One/);
    expect(await made({ kind: 'clearChecklist' })).toBe('');
    expect(await made({ kind: 'applyTemplateToChecklist', templateIds: ['site'], mode: 'APPEND' })).toBe('- s');
    expect(await made({ kind: 'applyDemoTemplateToChecklist', mode: 'REPLACE' })).not.toContain('- s');
    const { epoch } = await issue.read();
    expect(await made({ kind: 'restoreChecklistRevision', epoch, seq: first })).toBe('- a\n- b');
  });

  test('an item is converted to an issue with the app’s permission; a dry run creates none', async () => {
    const issue = await issueWith('- Ship it');
    const edit = { kind: 'convertItemToIssue', target: item(0, 'Ship it'), to: 'SUBTASK' };
    expect(await refusal(issue.id, { change: edit })).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    it.tracker.granted.set(ADDON_ACCOUNT, ['BROWSE_PROJECTS', 'EDIT_ISSUES', 'CREATE_ISSUES']);
    const count = it.tracker.issues.size;
    const dry = await change(issue.id, { change: edit, dryRun: true });
    expect(dry).toMatchObject({ text: '- Ship it', issueKey: null });
    expect(dry.notices.join()).toContain('"Ship it"');
    expect(it.tracker.issues.size).toBe(count);
    const made = await change(issue.id, { change: edit });
    expect(made.text).toContain(String(made.issueKey));
    expect(made.issueKey).not.toBeNull();
  });

  test('a change is made while the tracker is down, by the permission that it granted within the hour', async () => {
    provokes({ answers: [503] });
    const issue = await issueWith('- a');
    await change(issue.id, { change: done(0, 'a') });
    it.tracker.faults.push(() => 'down');
    expect(await change(issue.id, { change: { kind: 'clearChecklist' } })).toMatchObject({ text: '' });
    const unknown = await newIssue(it);
    const answer = await send(unknown.id, { change: { kind: 'clearChecklist' } }, { 'if-match': '*' });
    it.tracker.faults.length = 0;
    expect(v.parse(problem, answer.json())).toMatchObject({ status: 503, code: 'TRACKER_UNAVAILABLE' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  const bodies: [string, unknown][] = [
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"x"'],
    ['an array', []],
    ['an empty object', {}],
    ['no change', { base: {} }],
    ['an unknown kind', { change: { kind: 'explode' } }],
    ['an inherited kind', { change: { kind: 'toString' } }],
    ['a missing member', { change: { kind: 'setItemStatus', status: 'done' } }],
    ['an unknown member', { change: { kind: 'clearChecklist', force: true } }],
    ['an unknown option', { change: { kind: 'clearChecklist' }, force: true }],
    ['another type', { change: { kind: 'addChecklistItemsFromText', text: 7 } }],
    ['a huge index', { change: { kind: 'addChecklistItemsFromText', text: 'a', index: 1e20 } }],
    ['a prototype', '{"__proto__":{"change":{"kind":"clearChecklist"}}}'],
    ['a polluted change', '{"change":{"kind":"clearChecklist","__proto__":{"x":1}}}'],
    ['depth', `{"change":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['a dry run that is no boolean', { change: { kind: 'clearChecklist' }, dryRun: 'yes' }],
    ['a base that is none', { change: { kind: 'clearChecklist' }, base: { revision: 'x' } }],
  ];
  test.each(bodies)('a body is refused: %s', async (_what, body) => {
    const issue = await issueWith('- a');
    const found = await refusal(issue.id, body);
    expect(found).toMatchObject({ status: 400, code: 'UNREADABLE' });
    expect((await issue.read()).text).toBe('- a');
  });

  test('a body of another type, or beyond the limit, is refused', async () => {
    const issue = await issueWith('- a');
    const form = await refusal(issue.id, 'change=clear', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form).toMatchObject({ status: 415, code: 'UNREADABLE' });
    const large = await refusal(issue.id, { change: { kind: 'addChecklistItemsFromText', text: 'a'.repeat(600_000) } });
    expect(large).toMatchObject({
      ...{ status: 413, code: 'TOO_LARGE', detail: 'The request is too large. Send at most 524,288 bytes.' },
    });
  });

  test('no text of a checklist is in the log', async () => {
    const issue = await issueWith('- a');
    const secret = randomUUID();
    await change(issue.id, { change: { kind: 'addChecklistItemsFromText', text: secret } });
    await send(issue.id, { change: { kind: 'explode', text: secret } }, { 'if-match': '*' });
    await send(issue.id, { change: done(0, secret) }, { 'if-match': '*' });
    expect(it.logged.join('')).not.toContain(secret);
  });
});
