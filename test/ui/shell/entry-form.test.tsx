import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { MutationRefused, ServerError } from '../../../src/client/errors.ts';
import { shell } from '../../../src/domain/messages.ts';
import { CheckGroup, Select, TextInput } from '../../../src/ui/kit/form/form.tsx';
import { EntryForm } from '../../../src/ui/shell/entry-form.tsx';
import { LeaveDialog } from '../../../src/ui/shell/navigation/dialogs.tsx';
import { createNavigation } from '../../../src/ui/shell/navigation/navigation.ts';
import { ServicesProvider } from '../../../src/ui/shell/services/services.ts';
import { servicesWith } from '../fakes.ts';

const draft = { isKnown: true, isRestored: false, isKept: true, discard: () => undefined };

/** An edited entry whose save takes until the promise settles. */
function Editing({ save }: { save: Promise<void> }) {
  const [open, setOpen] = useState(true);
  const [busy, setBusy] = useState(false);
  const onSave = async () => {
    setBusy(true);
    await save.then(
      () => setOpen(false),
      () => setBusy(false),
    );
  };
  if (!open) return <p>closed</p>;
  return (
    <EntryForm
      label="Edit"
      save="Save"
      failed="Could not save it."
      dirty
      busy={busy}
      draft={draft}
      onSave={onSave}
      onClose={() => setOpen(false)}
    >
      <p>entered</p>
    </EntryForm>
  );
}

function show() {
  let settle = { stored() {}, refused() {} };
  const save = new Promise<void>((resolve, reject) => {
    settle = { stored: resolve, refused: () => reject(new Error('refused')) };
  });
  const services = servicesWith({ navigation: createNavigation(window) });
  const { unmount } = render(
    <ServicesProvider value={services}>
      <Editing save={save} />
      <LeaveDialog />
    </ServicesProvider>,
  );
  return { ...settle, unmount };
}

const unloadIsHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('while a save is under way, closing and reloading ask: it may be refused', async () => {
  const { refused, unmount } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(unloadIsHeld()).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  refused();
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
  expect(screen.getByText('entered')).toBeVisible();
  expect(unloadIsHeld()).toBe(true);
  unmount();
  expect(unloadIsHeld()).toBe(false);
});

test('what is stored meanwhile closes the form and the question', async () => {
  const { stored } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.getByText(shell.unsaved)).toBeVisible());
  stored();
  expect(await screen.findByText('closed')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(shell.unsaved)).toBeNull());
  expect(unloadIsHeld()).toBe(false);
});

/** A form whose save is refused for some of its fields. */
function Refused({ fields }: { fields: readonly string[] }) {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const errorOf = (field: string) => (refused.includes(field) ? 'Refused.' : undefined);
  const nothing = () => {};
  const options = [{ value: 'a', words: 'A' }];
  return (
    <EntryForm
      label="Edit"
      save="Save"
      failed="Could not save it."
      dirty
      busy={false}
      draft={draft}
      onSave={async () => setRefused(fields)}
      onClose={nothing}
    >
      <TextInput label="Name" value="" error={errorOf('name')} onChange={nothing} />
      <Select label="Template" value="a" options={options} error={errorOf('template')} onChange={nothing} />
      <CheckGroup
        label="Events"
        all={[{ id: 'a', name: 'Completed' }]}
        chosen={[]}
        error={errorOf('events')}
        onChange={nothing}
      />
    </EntryForm>
  );
}

test.each([
  ['Name', ['name', 'template']],
  ['Template', ['template']],
  ['Completed', ['events']],
])('a refused save focuses the first refused field: %s', async (label, fields) => {
  render(
    <ServicesProvider value={servicesWith({ navigation: createNavigation(window) })}>
      <Refused fields={fields} />
    </ServicesProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByLabelText(label)).toHaveFocus());
});

test('a failed save stays with the form, in words, until the next try', async () => {
  const tries = [new MutationRefused('FORBIDDEN', undefined, 'Not here.'), new ServerError(500, 'HTTP 500')];
  const save = () => {
    const error = tries.shift();
    return error ? Promise.reject(error) : new Promise<void>(() => undefined);
  };
  const nothing = () => undefined;
  render(
    <ServicesProvider value={servicesWith({ navigation: createNavigation(window) })}>
      <EntryForm
        label="Edit"
        save="Save"
        failed="Could not save it."
        dirty
        busy={false}
        draft={draft}
        onSave={save}
        onClose={nothing}
      >
        <TextInput label="Name" value="" onChange={nothing} />
      </EntryForm>
    </ServicesProvider>,
  );
  const again = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(again);
  expect(await screen.findByText('Not here.')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Name'), 'other');
  expect(screen.getByText('Not here.')).toBeVisible();
  await userEvent.click(again);
  expect(await screen.findByText('Could not save it.')).toBeVisible();
  expect(screen.queryByText('Not here.')).toBeNull();
  await userEvent.click(again);
  expect(screen.queryByText('Could not save it.')).toBeNull();
});
