import { EditorView } from '@codemirror/view';
import { render } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { checklistEditor } from '../../../src/editor/index.ts';
import { TextEditor } from '../../../src/ui/text-editor/text-editor.tsx';

const extensions = checklistEditor({ label: 'Text', editable: true, placeholder: '', save: () => undefined });

test('strict mode creates it twice and leaves one editor, the one passed to its owner', () => {
  const views: (EditorView | undefined)[] = [];
  const onView = (view: EditorView | undefined) => void views.push(view);
  const page = render(
    <StrictMode>
      <TextEditor text="- a" extensions={extensions} onView={onView} />
    </StrictMode>,
  );
  const [first, gone, last] = views;
  expect(views).toHaveLength(3);
  expect(gone).toBeUndefined();
  expect(first).not.toBe(last);
  expect(document.querySelectorAll('.cm-editor')).toHaveLength(1);
  expect(EditorView.findFromDOM(document.querySelector<HTMLElement>('.cm-editor') ?? document.body)).toBe(last);
  expect(first?.dom.isConnected).toBe(false);

  page.rerender(
    <StrictMode>
      <TextEditor text="- a" extensions={extensions} onView={onView} />
    </StrictMode>,
  );
  expect(views).toHaveLength(3);
  page.unmount();
  expect(views).toHaveLength(4);
  expect(document.querySelector('.cm-editor')).toBeNull();
});
