import { Assignee } from './assignee-picker.tsx';
import { DueDate } from './due-date-picker.tsx';
import type { MoreProps } from './row-buttons.tsx';
import { RowMenu, SectionMenu } from './row-menu.tsx';
import type { Part } from './use-open-part.ts';

interface Props extends MoreProps {
  part: Part;
}

/** The menus and small dialogs of a row, mounted while one is open. */
export default function Layers({ part, ...props }: Props) {
  const { row, name, actions, opened } = props;
  const close = (withFocus: boolean) => opened.close(part, withFocus);
  if (part === 'menu') return <RowMenu {...props} onClose={close} />;
  if (part === 'section') return <SectionMenu {...props} onClose={close} />;
  if (row.kind === 'header') return null;
  if (part === 'assignee') return <Assignee rows={[row]} name={name} actions={actions} onClose={close} />;
  return <DueDate row={row} name={name} actions={actions} onClose={close} />;
}
