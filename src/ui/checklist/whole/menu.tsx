import { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import { useUnseenNews } from '../../help/use-news.ts';
import { Dropdown } from '../dropdown.tsx';
import { commandsOf, type Whole } from './commands.ts';
import '../../help/mark.css';

interface Props {
  whole: Whole;
  /** `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
}

/** Everything that somebody may do with the list as a whole. A chunk of its own, mounted while it is open. */
export default function WholeMenu({ whole, onClose }: Props) {
  const unseen = useUnseenNews();
  return (
    <Dropdown label="Checklist actions" onClose={onClose}>
      {commandsOf(whole).map((commands, index) => (
        <DropdownItemGroup key={commands[0]?.label} hasSeparator={index > 0}>
          {commands.map(({ label, news, run }) => (
            <DropdownItem
              key={label}
              elemAfter={news && unseen ? <span className="help-new">New</span> : undefined}
              onClick={() => {
                onClose(true);
                run();
              }}
            >
              {label}
            </DropdownItem>
          ))}
        </DropdownItemGroup>
      ))}
    </Dropdown>
  );
}
