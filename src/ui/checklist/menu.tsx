import DropdownMenu, { DropdownItemRadio, DropdownItemRadioGroup } from '@atlaskit/dropdown-menu';
import { type RefObject, useId } from 'react';
import { builtInStatuses, type Status } from '../../domain/statuses.ts';

interface Props {
  status: Status;
  /** The button that opened the menu; it has the focus again afterwards. */
  returnFocus: RefObject<HTMLButtonElement | null>;
  onChoose(slug: string): void;
  onClose(): void;
}

/** The statuses to choose from. A chunk of its own, mounted while it is open. */
export default function StatusMenu({ status, returnFocus, onChoose, onClose }: Props) {
  const group = useId();
  return (
    <DropdownMenu
      isOpen
      autoFocus
      strategy="absolute"
      placement="bottom-end"
      spacing="compact"
      menuLabel="Status"
      returnFocusRef={returnFocus as RefObject<HTMLElement>}
      trigger={({ triggerRef }) => <span ref={triggerRef} className="check-status-anchor" />}
      onOpenChange={({ isOpen }) => {
        if (!isOpen) onClose();
      }}
    >
      <DropdownItemRadioGroup id={group}>
        {builtInStatuses.map(({ slug, name }) => (
          <DropdownItemRadio key={slug} id={slug} isSelected={slug === status.slug} onClick={() => onChoose(slug)}>
            {name}
          </DropdownItemRadio>
        ))}
      </DropdownItemRadioGroup>
    </DropdownMenu>
  );
}
