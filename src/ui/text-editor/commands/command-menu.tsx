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

/** What a command asks to choose from. The text has the focus back before anything is done to it. */
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
