import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { noBridge } from '../../src/bridge/none.ts';
import { links } from '../../src/domain/links.ts';
import { refusals, shell, unreachable } from '../../src/domain/messages.ts';
import { App } from '../../src/ui/app.tsx';
import { useUser } from '../../src/ui/shell/services/services.ts';
import { useFeatureFlags } from '../../src/ui/shell/session-gate.tsx';
import { type Fakes, fakeServices, json, sessions } from './fakes.ts';

vi.mock('../../src/ui/screens/panel/panel.tsx', () => ({
  default: function Panel() {
    const { name, canEditChecklist } = useUser();
    return (
      <p>
        {name} {canEditChecklist ? 'edits' : 'reads'} with {JSON.stringify(useFeatureFlags())}
      </p>
    );
  },
}));

/** Renders the app and waits for pending requests. */
async function show({ services }: Pick<Fakes, 'services'>) {
  await act(async () => {
    render(<App services={services} reload={vi.fn()} />);
  });
}

const admin = { path: '/project', granted: ['ADMINISTER_PROJECTS'] };
const spinner = () => screen.queryByRole('img', { name: 'Loading' });
const projectSettings = () => screen.findByRole('heading', { name: 'Project settings' });

test('a pending session shows a spinner, then the screen', async () => {
  const fakes = fakeServices({ ...admin, session: sessions.pending });
  await show(fakes);
  expect(spinner()).toBeVisible();
  act(() => fakes.setSession(sessions.ok));
  expect(await projectSettings()).toBeVisible();
  expect(spinner()).toBeNull();
});

test('a failed start can be retried until it succeeds', async () => {
  const fakes = fakeServices({ ...admin, session: sessions.fail });
  await show(fakes);
  const says = `${unreachable.server}${unreachable.retrying}`;
  expect(screen.getByRole('alert')).toHaveTextContent(says);
  await userEvent.click(screen.getByRole('button', { name: shell.retry }));
  expect(fakes.retries()).toBe(1);
  act(() => fakes.setSession(sessions.retrying));
  expect(screen.getByRole('alert')).toHaveTextContent(says);
  expect(screen.getByRole('button', { name: /Loading/ })).toBeVisible();
  act(() => fakes.setSession(sessions.ok));
  expect(await projectSettings()).toBeVisible();
});

test.each(['pending', 'fail'] as const)('a dialog can be closed while its start is %s', async status => {
  const fakes = fakeServices({ path: '/editor', context: { surface: 'dialog' }, session: sessions[status] });
  await show(fakes);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(fakes.exits).toHaveLength(1);
});

test('a later failure keeps the screen and shows a banner above it', async () => {
  const fakes = fakeServices(admin);
  await show(fakes);
  const heading = await projectSettings();
  act(() => fakes.setSession(sessions.expired));
  expect(heading).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: shell.unauthorized })).toBeVisible();
  expect(screen.getByRole('link', { name: shell.support })).toHaveAttribute('href', links.support);
  await userEvent.click(screen.getByRole('button', { name: shell.retry }));
  expect(fakes.retries()).toBe(1);
  act(() => fakes.setSession(sessions.ok));
  expect(screen.queryByText(shell.unauthorized)).toBeNull();
  expect(heading).toBeInTheDocument();
});

test('a short network failure shows no message', async () => {
  const fakes = fakeServices(admin);
  await show(fakes);
  await projectSettings();
  act(() => fakes.setSession({ ...sessions.expired, unauthorized: false }));
  expect(screen.queryByText(shell.unauthorized)).toBeNull();
});

test('the issue panel renders before the session starts, and is read-only until then', async () => {
  const context = { surface: 'issue-context', issueKey: 'ABC-1' } as const;
  const fakes = fakeServices({ path: '/checklist', context, granted: ['EDIT_ISSUES'], session: sessions.pending });
  await show(fakes);
  expect(await screen.findByText('anonymous reads with {}')).toBeVisible();
  act(() => fakes.setSession(sessions.fail));
  expect(screen.getByText('anonymous reads with {}')).toBeVisible();
  expect(await screen.findByRole('button', { name: shell.retry })).toBeVisible();
  act(() => fakes.setSession(sessions.ok));
  expect(await screen.findByText('Ana edits with {}')).toBeVisible();
});

test('a user without an account in the tracker is anonymous', async () => {
  const tracker = () => Promise.resolve(json({}, 401));
  await show(fakeServices({ path: '/checklist', tracker }));
  expect(await screen.findByText('anonymous reads with {}')).toBeVisible();
  expect(screen.queryByText(unreachable.tracker)).toBeNull();
});

/** An administrator whose first answers of the tracker fail. */
function failingPermissions(path: string, failures: number) {
  const fakes = fakeServices({ path, granted: ['EDIT_ISSUES', 'ADMINISTER'] });
  const { bridge } = fakes.services;
  const { request } = bridge;
  let failed = 0;
  bridge.request = (to, init) => {
    const fails = to.endsWith('mypermissions') && failed < failures;
    if (fails) failed += 1;
    return fails ? Promise.resolve(json({}, failed % 2 === 0 ? 429 : 500)) : request(to, init);
  };
  return fakes;
}

test('one failed answer about the permissions is repeated, and takes none away', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await show(failingPermissions('/checklist', 1));
  expect(await screen.findByText('anonymous reads with {}')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.getByText('Ana edits with {}')).toBeVisible();
  expect(screen.queryByText(unreachable.tracker)).toBeNull();
});

test.each(['/checklist', '/admin'])(
  'missing answers about the permissions are said as such, with a retry: %s',
  async path => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    await show(failingPermissions(path, 3));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByText(unreachable.tracker)).toBeVisible();
    expect(screen.queryByText(refusals.permission)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: shell.retry }), { advanceTimers: vi.advanceTimersByTime });
    const done =
      path === '/admin'
        ? screen.findByRole('heading', { name: 'Site settings' })
        : screen.findByText('Ana edits with {}');
    expect(await done).toBeVisible();
    expect(screen.queryByText(unreachable.tracker)).toBeNull();
  },
);

test('feature flags replace the empty set once the server answers', async () => {
  const server = () => Promise.resolve(json({ data: { featureFlags: { hierarchy: true } } }));
  await show(fakeServices({ path: '/checklist', server }));
  expect(await screen.findByText('Ana reads with {"hierarchy":true}')).toBeVisible();
});

test('a server error shows its message', async () => {
  const server = () => Promise.resolve(json({ errors: [{ message: 'The flags are away.' }] }, 400));
  const fakes = fakeServices({ path: '/checklist', server });
  await show(fakes);
  expect(fakes.flags).toEqual([{ title: 'The flags are away.', type: 'error' }]);
});

test('administration requires an administrator', async () => {
  await show(fakeServices({ path: '/admin', granted: ['ADMINISTER_PROJECTS'] }));
  expect(await screen.findByText(refusals.permission)).toBeVisible();
});

test('project settings require a project or site administrator', async () => {
  await show(fakeServices({ path: '/project', granted: ['EDIT_ISSUES'] }));
  expect(await screen.findByText(refusals.projectAdmin)).toBeVisible();
});

test('navigation inside the frame does not reload the page', async () => {
  await show(fakeServices({ path: '/templates?surface=dialog', granted: ['ADMINISTER_PROJECTS'] }));
  await userEvent.click(await screen.findByRole('button', { name: 'Rules' }));
  expect(await screen.findByRole('heading', { name: /^Rules/ })).toBeVisible();
  expect(location.pathname + location.search).toBe('/templates/assignments?surface=dialog');
  await userEvent.click(screen.getByRole('button', { name: 'All templates' }));
  expect(await screen.findByRole('heading', { name: /^(Site templates|Templates)/ })).toBeVisible();
});

test('an unknown address leads back to the issue', async () => {
  const fakes = fakeServices({ path: '/nowhere', context: { surface: 'page', issueKey: 'ABC-1' } });
  await show(fakes);
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Back to ABC-1' }));
  expect(fakes.exits).toEqual(['/browse/ABC-1']);
});

test('a failed context request shows a message and can be retried', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { services } = fakeServices(admin);
  const reload = vi.fn();
  const context = Promise.reject(new HostUnreachable(unreachable.tracker));
  await act(async () => {
    render(<App services={{ ...services, context }} reload={reload} />);
  });
  expect(await screen.findByRole('alert')).toHaveTextContent(unreachable.tracker);
  await userEvent.click(screen.getByRole('button', { name: shell.retry }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a page opened outside of the tracker says where it belongs', async () => {
  const fakes = fakeServices({ path: '/checklist' });
  await show({ services: { ...fakes.services, bridge: noBridge('') } });
  expect(await screen.findByRole('heading', { name: 'Open this page in Jira' })).toBeVisible();
});
