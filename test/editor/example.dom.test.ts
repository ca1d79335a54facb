import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as view from '@codemirror/view';
import { getByRole } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import * as editor from '../../src/editor/index.ts';

/** What the example may import. */
const modules: Record<string, object> = { '@codemirror/view': view, './src/editor/index.ts': editor };

test('the example of the documentation makes an editor that saves', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/editor.md'), 'utf8');
  const example = /```js\n(import[^`]*checklistEditor[^`]*)```/.exec(page)?.[1] ?? '';
  expect(example.trimEnd().split('\n')).toHaveLength(10);
  const imports: Record<string, unknown> = {};
  const body = example.replace(/^import \{(.*)\} from '(.*)';$/gm, (_, names: string, from: string) => {
    const members = new Map<string, unknown>(Object.entries(modules[from] ?? {}));
    for (const name of names.split(',').map(each => each.trim())) imports[name] = members.get(name);
    return '';
  });
  new Function(...Object.keys(imports), body)(...Object.values(imports));

  const text = getByRole(document.body, 'textbox', { name: 'Release' });
  expect(text).toHaveFocus();
  const made = view.EditorView.findFromDOM(text);
  made?.dispatch({ selection: { anchor: made.state.doc.length } });
  await userEvent.keyboard('{Enter}Ship it{Control>}s{/Control}');
  expect(localStorage.getItem('release')).toBe('# Release\n- Write the tests\n- Ship it');
  made?.destroy();
});
