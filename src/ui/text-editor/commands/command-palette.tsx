import type { EditorView } from '@codemirror/view';
import type { Menu, MenuItem } from '../../../editor/index.ts';
import { Palette } from '../../kit/palette.tsx';

interface MenuProps {
  menu: Menu;
  view: EditorView;
  onClose(): void;
}

/** The menu that a command opens. Returns the focus to the text before the choice runs. */
export function CommandMenu({ menu, view, onClose }: MenuProps) {
  const close = () => {
    onClose();
    view.focus();
  };
  const choose = (choice: MenuItem) => {
    close();
    choice.run(view);
  };
  return <Palette key={menu.label} {...menu} onChoose={choose} onClose={close} />;
}
