import { afterEach, expect, test, vi } from 'vitest';
import { loadUser } from '../../src/client/user.ts';
import { createUsers } from '../../src/client/users.ts';
import { permissionKey } from '../../src/domain/permissions.ts';
import { formerAccount } from '../../src/domain/person.ts';
import { anonymous } from '../../src/domain/user.ts';
import { fakeBridge, type Handler, status } from './fake-bridge.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const bulk: Handler = (_path, { query }) => ({
  values: [query?.accountId ?? []].flat().map(id => ({ accountId: id, displayName: `N ${id}` })),
});
const asked = (bridge: ReturnType<typeof fakeBridge>) => bridge.calls.map(({ init }) => init.query?.accountId);

test('simultaneous requests share one call, and no account is requested twice', async () => {
  const bridge = fakeBridge({ tracker: bulk });
  const users = createUsers(bridge);
  users.request(['a', 'b', 'a']);
  users.request(['b', 'c']);
  await vi.waitFor(() => expect(users.get().size).toBe(3));
  users.request(['c', 'd']);
  users.request(['a']);
  await vi.waitFor(() => expect(users.get().size).toBe(4));
  expect(users.get().get('d')).toEqual({ accountId: 'd', name: 'N d', avatar: '' });
  expect(asked(bridge)).toEqual([['a', 'b', 'c'], ['d']]);
});

test('a rule has its template’s name, an API token its own, and neither is requested from the tracker', async () => {
  const bridge = fakeBridge({ tracker: bulk });
  const users = createUsers(bridge);
  users.request(['rule:Code review', 'rule:', 'api:Build server', 'api:', 'a']);
  await vi.waitFor(() => expect(users.get().size).toBe(5));
  expect(users.get().get('rule:Code review')?.name).toBe('Rule: Code review');
  expect(users.get().get('rule:')?.name).toBe('Rule');
  expect(users.get().get('api:Build server')?.name).toBe('API: Build server');
  expect(users.get().get('api:')?.name).toBe('API');
  expect(asked(bridge)).toEqual([['a']]);
});

test('an erased author is a former user, whom the tracker is not asked for', async () => {
  const bridge = fakeBridge({ tracker: bulk });
  const users = createUsers(bridge);
  users.request([formerAccount, 'a']);
  await vi.waitFor(() => expect(users.get().size).toBe(2));
  expect(users.get().get(formerAccount)?.name).toBe('Former user');
  expect(asked(bridge)).toEqual([['a']]);
});

test('a failed batch only warns, known people stay, and it is requested again later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const bridge = fakeBridge({ tracker: bulk });
  const users = createUsers(bridge);
  users.request(['a']);
  await vi.waitFor(() => expect(users.get().size).toBe(1));
  const before = users.get();
  bridge.tracker = () => status(500, 'Oh.');
  users.request(['b']);
  await vi.waitFor(() => expect(warned).toHaveBeenCalledOnce());
  expect(users.get()).toBe(before);
  bridge.tracker = bulk;
  users.request(['b', 'c']);
  await vi.waitFor(() => expect(users.get().size).toBe(2));
  expect(asked(bridge)).toEqual([['a'], ['b'], ['c']]);
  vi.runAllTimers();
  await vi.waitFor(() => expect(users.get().get('b')).toMatchObject({ name: 'N b' }));
  expect(asked(bridge)).toHaveLength(4);
});

const site: (granted: string[]) => Handler = granted => path =>
  path.endsWith('myself')
    ? { accountId: 'acc', displayName: 'Ann' }
    : { permissions: Object.fromEntries(granted.map(key => [key, { havePermission: true }])) };

const settingsWith = (permissionSettings: { manageEnabled: boolean; viewEnabled: boolean }) => ({
  ...{ permissionSettings, permissionKeys: undefined, isLicensed: true },
});

test('the user has the flags of the issue, else of the project', async () => {
  const bridge = fakeBridge({ tracker: site([permissionKey('add-items'), 'ADMINISTER_PROJECTS']) });
  const settings = settingsWith({ manageEnabled: true, viewEnabled: true });
  expect(await loadUser(bridge, { surface: 'issue-context', issueKey: 'ABC-1', projectKey: 'ABC' }, settings)).toEqual({
    id: 'acc',
    key: 'acc',
    name: 'Ann',
    domain: 'site.example',
    isAnonymous: false,
    canAddChecklistItems: true,
    canChangeItemStatuses: false,
    canDeleteChecklistItems: false,
    canEditChecklist: false,
    canImportTemplate: true,
    canManageTemplates: true,
    canSaveTemplate: true,
    canViewChecklist: true,
    isAdmin: false,
    isProjectAdmin: true,
  });
  await loadUser(bridge, { surface: 'project-admin', projectKey: 'ABC' }, settings);
  const scopes = bridge.calls.filter(({ path }) => path.endsWith('mypermissions')).map(({ init }) => init.query);
  expect(scopes).toMatchObject([{ issueKey: 'ABC-1' }, { projectKey: 'ABC' }]);
  expect(scopes[0]).not.toHaveProperty('projectKey');
});

test('a user whom the tracker does not name is anonymous, without a warning', async () => {
  const warned = vi.spyOn(console, 'warn');
  const bridge = fakeBridge({ tracker: () => status(401, '') });
  const settings = settingsWith({ manageEnabled: false, viewEnabled: false });
  expect(await loadUser(bridge, { surface: 'portal', issueKey: 'ABC-1' }, settings)).toEqual(anonymous);
  expect(warned).not.toHaveBeenCalled();
});

test.each([429, 500, 503])(
  'an answer %i says nothing about the user: it is neither anonymous nor without permissions',
  async code => {
    const settings = settingsWith({ manageEnabled: false, viewEnabled: false });
    const context = { surface: 'issue-context', issueKey: 'ABC-1' } as const;
    for (const failing of ['myself', 'mypermissions']) {
      const answer = site(['EDIT_ISSUES']);
      const bridge = fakeBridge({
        tracker: (path, init) => (path.endsWith(failing) ? status(code, '') : answer(path, init)),
      });
      await expect(loadUser(bridge, context, settings)).rejects.toMatchObject({ status: code });
    }
  },
);

test('a refusal of the permissions grants none', async () => {
  const answer = site([]);
  const bridge = fakeBridge({
    tracker: (path, init) => (path.endsWith('mypermissions') ? status(404, '') : answer(path, init)),
  });
  const settings = settingsWith({ manageEnabled: false, viewEnabled: false });
  expect(await loadUser(bridge, { surface: 'issue-context', issueKey: 'ABC-1' }, settings)).toMatchObject({
    ...{ id: 'acc', isAnonymous: false, canEditChecklist: false },
  });
});

test('permissions are requested by the site’s own keys', async () => {
  const key = 'ari:cloud:ecosystem::extension/app/env/static/add-items';
  const bridge = fakeBridge({ tracker: site([key]) });
  const settings = {
    ...settingsWith({ manageEnabled: true, viewEnabled: true }),
    permissionKeys: { 'add-items': key },
  };
  const user = await loadUser(bridge, { surface: 'issue-context', issueKey: 'ABC-1' }, settings);
  expect(user).toMatchObject({ canAddChecklistItems: true, canDeleteChecklistItems: false });
  const asked = bridge.calls.find(({ path }) => path.endsWith('mypermissions'))?.init.query?.permissions;
  expect(asked).toContain(key);
  expect(asked).not.toContain(permissionKey('add-items'));
});

test('without an active license everything is read-only', async () => {
  const bridge = fakeBridge({ tracker: site(['EDIT_ISSUES', 'ADMINISTER']) });
  const settings = { ...settingsWith({ manageEnabled: false, viewEnabled: false }), isLicensed: false };
  const user = await loadUser(bridge, { surface: 'issue-context', issueKey: 'ABC-1' }, settings);
  expect(user).toMatchObject({
    ...{ canViewChecklist: true, canAddChecklistItems: false, canEditChecklist: false, canChangeItemStatuses: false },
    isAdmin: true,
  });
});
