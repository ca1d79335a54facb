import { GraphQLObjectType, getNamedType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { refusals } from '../../../../src/domain/messages.ts';
import { decodeSession } from '../../../../src/domain/token.ts';
import { schema, unlicensedMutations } from '../../../../src/server/http/graphql/schema.ts';
import { noteLicense } from '../../../../src/server/platform/connect/license.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import { forgeOf, newSite, startForge } from '../../support/forge.ts';
import { onStore } from '../../support/stores.ts';

const CHANGE = `mutation change($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { errors { code message } checklist { text } } }`;
const SETTINGS = `mutation { updateSiteSettings(input: { analytics: false }) { errors { code } } }`;

onStore(use => {
  const app = forgeOf(use);

  describe('on a site whose license is not active', () => {
    test('checklists are readable, every change is refused with the reason, and nothing is lost', async () => {
      const { it, forge } = app;
      const site = newSite();
      forge.past = { key: it.tenant.id };
      forge.impersonated.add('alice');
      await app.signIn(site);
      const issue = await newIssue(it, [...EDITOR, 'ADMINISTER'], 'alice');
      await issue.edit(update('- a'));
      const input = {
        ...{ issueId: issue.id, clientId: 'c', base: { epoch: '', seq: 0, hash: '-', text: '' } },
        change: { kind: 'addChecklistItemsFromText', text: '- b' },
      };

      const { token } = (await app.signIn(site, {}, { app: { license: { active: false } } })).json();
      expect(decodeSession(token).settings.licensed).toBe(false);
      const { data } = await it.graphql('alice', `query { checklist(issueId: "${issue.id}") { text } }`);
      expect(data).toEqual({ checklist: { text: '- a' } });
      expect((await it.graphql('alice', CHANGE, { input })).data).toEqual({
        changeChecklist: { errors: [{ code: 'UNLICENSED', message: refusals.unlicensed }], checklist: null },
      });
      expect((await it.graphql('alice', SETTINGS)).data).toEqual({
        updateSiteSettings: { errors: [{ code: 'UNLICENSED' }] },
      });

      // Events do not change the license.
      await app.send(site, '/forge/events', { eventType: 'avi:jira:updated:issue', issue: { id: issue.id } });
      expect((await it.tenants.find(it.tenant.id))?.licensed).toBe(false);
      await app.signIn(site, {}, { app: { license: { active: true } } });
      expect((await it.graphql('alice', CHANGE, { input })).data).toMatchObject({
        changeChecklist: { errors: [], checklist: { text: '- a\n- b' } },
      });
    });

    test('every mutation that is refused returns errors', () => {
      const fields = schema.getMutationType()?.getFields() ?? {};
      const silent = Object.entries(fields).filter(([, { type }]) => {
        const payload = getNamedType(type);
        return !(payload instanceof GraphQLObjectType && 'errors' in payload.getFields());
      });
      expect(Object.keys(fields)).toEqual(expect.arrayContaining([...unlicensedMutations]));
      expect(silent.map(([name]) => name).filter(name => !unlicensedMutations.includes(name))).toEqual([]);
    });
  });

  test('outside production the license is ignored', async () => {
    const other = await startForge(use(), { FORGE_ENVIRONMENT: 'DEVELOPMENT' });
    const site = newSite();
    const environment = { type: 'DEVELOPMENT' };
    await other.signIn(site, {}, { app: { environment, license: { active: false } } });
    expect((await other.it.tenants.find(site.cloudId))?.licensed).toBe(true);
    await other.it.app.close();
  });

  describe('the license in the address of a Connect page', () => {
    const licensedAfter = async (lic: string | undefined, production: boolean) => {
      const { it } = app;
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      await noteLicense(it.tenants, { ...tenant, forge: undefined }, lic, production);
      const [row] = await use().raw('select licensed from tenant where tenant = $1', [it.tenant.id]);
      return row?.licensed;
    };

    test('is stored in production, until another value comes', async () => {
      expect(await licensedAfter('none', false)).toBe(true);
      expect(await licensedAfter('none', true)).toBe(false);
      expect(await licensedAfter(undefined, true)).toBe(false);
      expect(await licensedAfter('odd', true)).toBe(false);
      // Since the move to Forge, Connect's value is ignored.
      expect((await app.it.tenants.find(app.it.tenant.id))?.licensed).toBe(true);
      await use().raw('update tenant set licensed = true where tenant = $1', [app.it.tenant.id]);
    });
  });
});
