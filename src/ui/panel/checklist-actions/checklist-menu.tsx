import { ActionMenu } from '../../kit/action-menu.tsx';
import { useUnseenNews } from '../../shell/help/news.ts';
import { commandsOf, type Whole } from './commands.ts';
import '../../shell/help/news-mark.css';

interface Props {
  whole: Whole;
  /** `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
}

/** Everything that somebody may do with the list as a whole. A chunk of its own, mounted while it is open. */
export default function WholeMenu({ whole, onClose }: Props) {
  const unseen = useUnseenNews();
  return (
    <ActionMenu
      label="Checklist actions"
      actions={commandsOf(whole)}
      mark={({ news }) => (news && unseen ? <span className="help-new">New</span> : undefined)}
      onClose={onClose}
    />
  );
}
