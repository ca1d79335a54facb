// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { forge, inNewWindows, sent } from './forge-frame.ts';

/** What the bridge of Forge does with the page around the frame: dialogs, flags, room, preferences. */

inNewWindows();

describe('dialogs', () => {
  test('fill the window, each with its own answer to Escape', async () => {
    const host = forge();
    const bridge = await host.open();
    void bridge.openDialog('editor', null);
    void bridge.openDialog('templates', null);
    await vi.waitUntil(() => host.dialogs.length === 2);
    expect(sent(host, 'openModal')).toMatchObject([
      { resource: null, size: 'max', closeOnEscape: false, closeOnOverlayClick: false },
      { resource: null, size: 'max', closeOnEscape: true, closeOnOverlayClick: false },
    ]);
    await Promise.all(host.dialogs.map(dialog => dialog.bridge));
  });

  test.each([
    ['editor', '/editor'],
    ['templates', '/templates'],
  ] as const)('%s shows its screen, about what its opener is about', async (name, path) => {
    const host = forge();
    void (await host.open()).openDialog(name, { a: null });
    history.replaceState(null, '', '/index.html');
    const dialog = await (await vi.waitUntil(() => host.dialogs[0])).bridge;
    expect(location.hash).toBe(`#${path}`);
    expect(await dialog.context()).toEqual({
      ...{ surface: 'dialog', issueKey: 'ABC-1', issueId: '10001', projectKey: 'ABC', projectId: '10000' },
      dialogData: { a: null },
    });
  });

  test("another app's window is no own dialog", async () => {
    const extension = {
      issue: { id: '1', key: 'ABC-1' },
      modal: { json: '{"dialog":"constructor","dialogId":"1","about":{}}' },
    };
    expect(await (await forge({ extension }).open()).context()).toMatchObject({ surface: 'issue-context' });
  });

  test('a host that cannot open dialogs is no dialog that is open', async () => {
    const host = forge();
    const bridge = await host.open();
    host.answers.openModal = () => false;
    await expect(bridge.openDialog('editor', null)).rejects.toThrow('Unable to open modal.');
  });

  test('an opener is notified that its dialog has not loaded, and still gets its result', async () => {
    vi.useFakeTimers();
    const host = forge();
    const bridge = await host.open();
    let modal: { onClose(payload: unknown): unknown } | undefined;
    host.answers.openModal = (opened: { onClose(payload: unknown): unknown }) => {
      modal = opened;
      return true;
    };
    const missing = vi.fn();
    const closed = bridge.openDialog('editor', null, missing);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(missing).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(missing).toHaveBeenCalledTimes(1);
    modal?.onClose({ json: '{"result":"after all"}' });
    await vi.advanceTimersByTimeAsync(100);
    expect(await closed).toBe('after all');
  });

  test('a dialog that loads, or is closed before, is not reported missing', async () => {
    vi.useFakeTimers();
    const host = forge();
    const bridge = await host.open();
    const missing = vi.fn();
    void bridge.openDialog('editor', null, missing);
    await (await vi.waitUntil(() => host.dialogs[0])).bridge;
    void bridge.openDialog('templates', null, missing);
    await vi.waitUntil(() => host.dialogs.length === 2);
    await host.escape();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(missing).not.toHaveBeenCalled();
  });
});

describe('the page around the frame', () => {
  test('names the app by the place of the frame', async () => {
    const host = forge({ localId: 'ari:cloud:ecosystem::extension/app/environment/static/checklist-content' });
    const bridge = await host.open();
    expect(await bridge.extension?.()).toBe('ari:cloud:ecosystem::extension/app/environment/static/');
  });

  test('shows flags, each its own, and leads elsewhere', async () => {
    const host = forge();
    const bridge = await host.open();
    bridge.flag({ title: 'Saved' });
    bridge.flag({ title: 'Oh', body: 'No.', type: 'error' });
    bridge.navigate('/browse/ABC-2');
    bridge.openSettings('ABC');
    bridge.openAssigned();
    bridge.reload();
    expect(
      host.log.filter(([command]) => ['showFlag', 'navigate', 'reload', 'enableTheming'].includes(command)),
    ).toEqual([
      ['enableTheming', undefined],
      ['showFlag', { id: expect.any(String), title: 'Saved', type: 'success', isAutoDismiss: true }],
      ['showFlag', { id: expect.any(String), title: 'Oh', description: 'No.', type: 'error', isAutoDismiss: true }],
      ['navigate', { url: '/browse/ABC-2', type: 'same-tab' }],
      ['navigate', { target: 'module', moduleKey: 'project-settings', projectKey: 'ABC', type: 'same-tab' }],
      ['navigate', { target: 'module', moduleKey: 'assigned-items', type: 'same-tab' }],
      ['reload', undefined],
    ]);
    const [one, two] = sent(host, 'showFlag') as { id: string }[];
    expect(one?.id).not.toBe(two?.id);
  });

  test('opens links to other pages, which the sandbox of the frame does not', async () => {
    const host = forge();
    await host.open();
    document.body.innerHTML = `
      <a href="https://one.example/a?b=1" target="_blank"><b>One</b></a>
      <a href="https://two.example/" target="_blank">Two</a>
      <a href="#here">Here</a>`;
    const [one, two, here] = document.querySelectorAll('a');
    const clicks: [Element | null | undefined, MouseEvent][] = [
      [document.querySelector('b'), new MouseEvent('click', { bubbles: true, cancelable: true })],
      [two, new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true })],
      [one, new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 })],
    ];
    for (const [element, click] of clicks) {
      element?.dispatchEvent(click);
      expect(click.defaultPrevented).toBe(true);
    }
    const others: [Element | undefined, MouseEvent][] = [
      // The context menu, and a link within the frame.
      [one, new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 2 })],
      [here, new MouseEvent('click', { bubbles: true, cancelable: true })],
    ];
    for (const [element, click] of others) {
      element?.dispatchEvent(click);
      expect(click.defaultPrevented).toBe(false);
    }
    // The screen has handled it.
    two?.addEventListener('click', event => event.preventDefault(), { once: true });
    two?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    await vi.waitFor(() => expect(sent(host, 'navigate')).toHaveLength(3));
    expect(sent(host, 'navigate')).toEqual([
      { url: 'https://one.example/a?b=1', type: 'new-tab' },
      { url: 'https://two.example/', type: 'new-tab' },
      { url: 'https://one.example/a?b=1', type: 'new-tab' },
    ]);
  });

  test('gives room below the content, and takes it back', async () => {
    const bridge = await forge().open();
    document.body.getBoundingClientRect = () => new DOMRect(0, 0, 300, 200);
    bridge.resize(636);
    expect(getComputedStyle(document.body).marginBottom).toBe('436px');
    bridge.resize(200);
    expect(getComputedStyle(document.body).marginBottom).toBe('0px');
    Reflect.deleteProperty(document.body, 'getBoundingClientRect');
  });

  test('reports changed issues of any author, but not a comment alone', async () => {
    const host = forge();
    const ids: string[] = [];
    const stop = (await host.open()).onIssueChanged?.(id => ids.push(id));
    await vi.waitUntil(() => sent(host, 'on').length > 0);
    const change = (issueId: unknown, ...types: string[]) =>
      host.emit('JIRA_ISSUE_CHANGED', {
        issueId,
        projectId: '10000',
        changes: types.map(changeType => ({ changeType, atlassianId: 'someone' })),
      });
    change('10001', 'commented', 'updated');
    change(10002, 'updated');
    change('10003', 'commented');
    change(null, 'updated');
    host.emit('JIRA_ISSUE_CHANGED', undefined);
    await vi.waitUntil(() => ids.length >= 2);
    expect(ids).toEqual(['10001', '10002']);
    stop?.();
    await vi.waitUntil(async () => {
      change('10004', 'updated');
      const before = ids.length;
      await Promise.resolve();
      return ids.length === before;
    });
  });
});

describe('preferences', () => {
  test('are kept under the edition’s name', async () => {
    await (await forge().open()).preferences.set('layout', 'wide');
    expect(localStorage.getItem(`${edition.key}.preference.layout`)).toBe('wide');
  });

  test('a browser that refuses storage has none', async () => {
    const refuse = () => {
      throw new DOMException('Denied.', 'SecurityError');
    };
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(refuse);
    const { preferences } = await await forge().open();
    await preferences.set('layout', 'wide');
    expect(await preferences.get('layout')).toBeUndefined();
  });
});
