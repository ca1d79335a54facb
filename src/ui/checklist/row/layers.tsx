import type { MoreProps } from '../more.tsx';
import type { Part } from '../opened.ts';
import { Assignee } from './assignee.tsx';
import { DueDate } from './due.tsx';
import { RowMenu, SectionMenu } from './menu.tsx';

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
