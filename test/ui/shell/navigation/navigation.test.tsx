import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { shell } from '../../../../src/domain/messages.ts';
import { LeaveDialog } from '../../../../src/ui/shell/navigation/dialogs.tsx';
import {
  createNavigation,
  type Navigation,
  useGo,
  usePath,
  useUnsaved,
} from '../../../../src/ui/shell/navigation/navigation.ts';
import { ServicesProvider } from '../../../../src/ui/shell/services/services.ts';
import { servicesWith } from '../../fakes.ts';

beforeEach(() => history.replaceState(null, '', '/templates?surface=page&jwt=secret&projectKey=ABC'));

function Editing({ dirty }: { dirty: boolean }) {
  useUnsaved(dirty);
  const go = useGo();
  return (
    <>
      <p>at {usePath()}</p>
      <button type="button" onClick={() => go('/templates/new')}>
        New
      </button>
    </>
  );
}

function show(navigation: Navigation, dirty: boolean) {
  const services = servicesWith({ navigation });
  const tree = (isDirty: boolean) => (
    <ServicesProvider value={services}>
      <Editing dirty={isDirty} />
      <LeaveDialog />
    </ServicesProvider>
  );
  const { rerender } = render(tree(dirty));
  return (isDirty: boolean) => rerender(tree(isDirty));
}

const unloadIsHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the signature is removed from the address, the context stays', async () => {
  show(createNavigation(window), false);
  expect(location.search).toBe('?surface=page&projectKey=ABC');
  await userEvent.click(screen.getByText('New'));
  expect(screen.getByText('at /templates/new')).toBeVisible();
  expect(location.pathname + location.search).toBe('/templates/new?surface=page&projectKey=ABC');
});

test('the browser goes back to the previous screen', async () => {
  const navigation = createNavigation(window);
  show(navigation, false);
  await userEvent.click(screen.getByText('New'));
  await act(async () => {
    const gone = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }));
    history.back();
    await gone;
  });
  expect(screen.getByText('at /templates')).toBeVisible();
});

test('unsaved edits block leaving a screen until the user confirms', async () => {
  show(createNavigation(window), true);
  await userEvent.click(screen.getByText('New'));
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(screen.queryByText(shell.unsaved)).toBeNull();
  expect(screen.getByText('at /templates')).toBeVisible();

  await userEvent.click(screen.getByText('New'));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(screen.getByText('at /templates/new')).toBeVisible();
});

test('edits that are saved while the question is open are not asked about any longer', async () => {
  const setDirty = show(createNavigation(window), true);
  await userEvent.click(screen.getByText('New'));
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  setDirty(false);
  expect(await screen.findByText('at /templates/new')).toBeVisible();
  expect(screen.queryByText(shell.unsaved)).toBeNull();
});

test('going back in the browser also asks', async () => {
  const navigation = createNavigation(window);
  const setDirty = show(navigation, false);
  await userEvent.click(screen.getByText('New'));
  setDirty(true);
  await act(async () => {
    const gone = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }));
    history.back();
    await gone;
  });
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  expect(location.pathname).toBe('/templates/new');
});

test('leaving the page warns only while there are unsaved edits', () => {
  const setDirty = show(createNavigation(window), false);
  expect(unloadIsHeld()).toBe(false);
  setDirty(true);
  expect(unloadIsHeld()).toBe(true);
  setDirty(false);
  expect(unloadIsHeld()).toBe(false);
});

test('edits that a reload would lose keep the page; those that are stored do not, and the browser does not ask', () => {
  const reload = vi.fn();
  const location = { hash: '', pathname: '/editor', search: '', reload };
  const listeners = { addEventListener: window.addEventListener, removeEventListener: window.removeEventListener };
  const navigation = createNavigation({ history, location, ...listeners } as unknown as Window);
  const release = navigation.hold();
  navigation.hold({ kept: () => true });
  expect(navigation.reload()).toBe(false);
  expect(unloadIsHeld()).toBe(true);
  expect(reload).not.toHaveBeenCalled();
  release();
  expect(navigation.reload()).toBe(true);
  expect(unloadIsHeld()).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

test('a page with one address has its screen in the hash', async () => {
  history.replaceState(null, '', '/index.html?hostname=site#/templates');
  const navigation = createNavigation(window);
  show(navigation, false);
  expect(screen.getByText('at /templates')).toBeVisible();
  await userEvent.click(screen.getByText('New'));
  expect(screen.getByText('at /templates/new')).toBeVisible();
  expect(location.pathname + location.search + location.hash).toBe('/index.html?hostname=site#/templates/new');
  await act(async () => {
    const gone = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }));
    history.back();
    await gone;
  });
  expect(screen.getByText('at /templates')).toBeVisible();
});
