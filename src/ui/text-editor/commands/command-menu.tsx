import type { EditorView } from '@codemirror/view';
import { Suspense } from 'react';
import type { Menu, MenuItem } from '../../../editor/index.ts';
import { requiredComponent } from '../../kit/lazy/required-component.tsx';

const Palette = requiredComponent('palette', () => import('./command-palette.tsx'));

interface Props {
  menu: Menu;
  view: EditorView;
  onClose(): void;
}

/** The menu that a command opens. Returns the focus to the text before the choice runs. */
export function CommandMenu({ menu, view, onClose }: Props) {
  const close = () => {
    onClose();
    view.focus();
  };
  const choose = (choice: MenuItem) => {
    close();
    choice.run(view);
  };
  return (
    <Suspense>
      <Palette key={menu.label} menu={menu} onChoose={choose} onClose={close} />
    </Suspense>
  );
}
