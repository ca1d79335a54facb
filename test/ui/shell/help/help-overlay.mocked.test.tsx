import { EditorView } from '@codemirror/view';
import { expect, test, vi } from 'vitest';
import { shell } from '../../../../src/domain/messages.ts';
import { HelpOverlay } from '../../../../src/ui/shell/help/help-overlay.tsx';
import { fakeIssue, show } from '../../issue.tsx';

vi.mock('../../../../src/ui/screens/help/help-screen.tsx', () => {
  throw new Error('It is not there any more.');
});

test('a guide that cannot be loaded shows a message, and the editor stays as it is', async () => {
  const issue = fakeIssue('');
  const view = new EditorView({ doc: '- Not saved', parent: document.body });
  const onClose = vi.fn();
  await show(issue, <HelpOverlay view={view} onClose={onClose} />);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(issue.flags).toContainEqual(expect.objectContaining({ title: shell.chunkFailed('help'), type: 'error' }));
  expect(view.state.doc.toString()).toBe('- Not saved');
  expect(view.hasFocus).toBe(true);
  view.destroy();
});
