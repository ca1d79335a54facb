import DropdownMenu, { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import { elsewhere, useFirstLetter } from '../menu-keys.ts';
import { commandsOf, type Whole } from './commands.ts';

interface Props {
  whole: Whole;
  /** `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
}

/** Everything that somebody may do with the list as a whole. A chunk of its own, mounted while it is open. */
export default function WholeMenu({ whole, onClose }: Props) {
  useFirstLetter();
  return (
    <DropdownMenu
      isOpen
      autoFocus
      // Below its button in any case: where the frame ends too soon, it grows.
      shouldFlip={false}
      strategy="absolute"
      placement="bottom-end"
      spacing="compact"
      returnFocusRef={elsewhere}
      menuLabel="Checklist actions"
      trigger={({ triggerRef }) => <span ref={triggerRef} className="check-status-anchor" />}
      onOpenChange={({ isOpen, event }) => {
        if (!isOpen) onClose(event instanceof KeyboardEvent);
      }}
    >
      {commandsOf(whole).map((commands, index) => (
        <DropdownItemGroup key={commands[0]?.label} hasSeparator={index > 0}>
          {commands.map(({ label, run }) => (
            <DropdownItem
              key={label}
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
    </DropdownMenu>
  );
}
