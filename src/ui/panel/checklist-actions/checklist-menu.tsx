import { ActionMenu } from '../../kit/action-menu.tsx';
import { useUnseenNews } from '../../shell/help/news.ts';
import { type CommandContext, commandsOf } from './commands.ts';
import '../../shell/shell.css';

interface Props {
  context: CommandContext;
  /** `withFocus`: closed by keyboard, so the focus is to be restored; not after a click elsewhere. */
  onClose(withFocus: boolean): void;
}

/** The menu of the checklist's permitted commands. A lazy chunk, mounted while open. */
export default function ChecklistMenu({ context, onClose }: Props) {
  const unseen = useUnseenNews();
  return (
    <ActionMenu
      label="Checklist actions"
      actions={commandsOf(context)}
      mark={({ news }) => (news && unseen ? <span className="help-new">New</span> : undefined)}
      onClose={onClose}
    />
  );
}
