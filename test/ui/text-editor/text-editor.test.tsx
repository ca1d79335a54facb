import { EditorView } from '@codemirror/view';
import { render } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { checklistEditor } from '../../../src/editor/index.ts';
import { TextEditor } from '../../../src/ui/text-editor/text-editor.tsx';

const extensions = checklistEditor({ label: 'Text', editable: true, placeholder: '', save: () => undefined });

test('strict mode makes it twice and leaves one editor, the one that its owner holds', () => {
  const told: (EditorView | undefined)[] = [];
  const onView = (view: EditorView | undefined) => void told.push(view);
  const page = render(
    <StrictMode>
      <TextEditor text="- a" extensions={extensions} onView={onView} />
    </StrictMode>,
  );
  const [first, gone, last] = told;
  expect(told).toHaveLength(3);
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
  expect(told).toHaveLength(3);
  page.unmount();
  expect(told).toHaveLength(4);
  expect(document.querySelector('.cm-editor')).toBeNull();
});
