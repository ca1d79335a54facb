import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { foundChecklists, problem } from '../../../../src/domain/api/schemas.ts';
import { callApi, createToken } from '../../support/api.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { newIssue, update } from '../../support/checklists.ts';
import { PROJECT } from '../../support/issue-creation.ts';
import { OTHER_PROJECT } from '../../support/projects.ts';
import { onStore } from '../../support/stores.ts';

onStore(use => {
  let it: TestApp;
  let token: string;
  /** Issues by name, in the order of their creation. */
  const ids: Record<string, string> = {};
  const texts = {
    open: '- a\n+ b\n- ! c',
    complete: '+ a\nx b',
    ana: '- a [~accountid:ana] 2026-12-01\n- b 2026-11-01\n- c [~accountid:bob]',
    anaDone: '+ a [~accountid:ana] 2026-11-01\n- b',
    later: '- a 2027-01-01',
    elsewhere: '- a',
  };

  beforeAll(async () => {
    it = await startApp(use().store);
    token = (await createToken(use().store, it)).secret;
    for (const [name, text] of Object.entries(texts)) {
      const issue = await newIssue(it);
      ids[name] = issue.id;
      if (name === 'elsewhere') {
        Object.assign(it.tracker.issues.get(issue.id)?.fields ?? {}, { project: { id: OTHER_PROJECT } });
      }
      await issue.edit(update(text, `List ${name}`));
    }
    await (await newIssue(it)).read();
    return () => it.app.close();
  });

  const ask = (query = '') => callApi(it, token, `/checklists${query}`);
  const search = async (query = '') => v.parse(foundChecklists, (await ask(query)).json());
  const nameOf = (id: string) => Object.keys(ids).find(name => ids[name] === id);
  const names = async (query = '') => (await search(query)).checklists.map(({ issue }) => nameOf(issue.id));

  test('checklists are found with their progress, newest issues first, without a call', async () => {
    const before = it.tracker.calls.length;
    const { checklists, next } = await search();
    expect(it.tracker.calls).toHaveLength(before);
    expect(checklists.map(({ issue }) => nameOf(issue.id))).toEqual(Object.keys(texts).reverse());
    expect(next).toBeNull();
    expect(checklists.at(-1)).toMatchObject({
      issue: { id: ids.open, key: `PR-${ids.open}`, projectId: PROJECT },
      name: 'List open',
      progress: { total: 3, checked: 1, percent: 33, mandatoryOpen: 1 },
      ...{ open: 2, due: null },
    });
    expect(checklists.at(-3)).toMatchObject({ open: 3, due: '2026-11-01' });
  });

  test.each([
    ['?open=true', ['elsewhere', 'later', 'anaDone', 'ana', 'open']],
    ['?open=false', ['complete']],
    ['?due=2026-10-31', []],
    ['?due=2026-11-01', ['ana']],
    ['?due=2027-01-01', ['later', 'ana']],
    ['?assignee=ana', ['anaDone', 'ana']],
    ['?assignee=ana&open=true', ['ana']],
    ['?assignee=ana&open=false', ['anaDone']],
    ['?assignee=ana&due=2026-11-01', []],
    ['?assignee=ana&due=2026-12-01', ['ana']],
    ['?assignee=nobody', []],
    [`?project=${OTHER_PROJECT}`, ['elsewhere']],
    [`?project=${PROJECT}&open=false`, ['complete']],
    ['?project=pr&open=false', ['complete']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('pages follow each other', async () => {
    const found: (string | undefined)[] = [];
    let after = '';
    do {
      const { checklists, next } = await search(`?first=4${after}`);
      found.push(...checklists.map(({ issue }) => nameOf(issue.id)));
      after = next === null ? '' : `&after=${next}`;
    } while (after !== '');
    expect(found).toEqual(Object.keys(texts).reverse());
  });

  test('a change is found at once', async () => {
    const issue = await newIssue(it);
    ids.fresh = issue.id;
    await issue.edit(update('- x [~accountid:cleo]'));
    expect(await names('?assignee=cleo&open=true')).toEqual(['fresh']);
    await issue.edit(update('+ x [~accountid:cleo]'));
    expect(await names('?assignee=cleo&open=true')).toEqual([]);
    await issue.edit(update('- a'));
    await use().raw('update sync set missing = now() where issue = $1', [issue.id]);
    expect(await names()).not.toContain('fresh');
  });

  test('what is no search is refused', async () => {
    for (const query of [
      'open=yes',
      'open=1',
      'due=tomorrow',
      'due=2026-1-1',
      'first=0',
      'after=x',
      'q=a',
      'project=',
    ]) {
      const answer = await ask(`?${query}`);
      expect([400, 404], query).toContain(v.parse(problem, answer.json()).status);
    }
    expect(v.parse(problem, (await ask('?project=NONE')).json())).toMatchObject({ status: 404, field: 'project' });
    expect(v.parse(problem, (await ask("?project=%25'")).json())).toMatchObject({ status: 404 });
  });
});
