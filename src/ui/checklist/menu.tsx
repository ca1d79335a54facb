import DropdownMenu, { DropdownItemRadio, DropdownItemRadioGroup } from '@atlaskit/dropdown-menu';
import { useId } from 'react';
import { builtInStatuses, type Status } from '../../domain/statuses.ts';

interface Props {
  /** The one that is set; several items have none in common. */
  status: Status | undefined;
  onChoose(slug: string): void;
  /** The menu wants to be closed. `byKey`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(byKey: boolean): void;
}

/** The statuses to choose from. A chunk of its own, mounted while it is open. */
export default function StatusMenu({ status, onChoose, onClose }: Props) {
  const group = useId();
  return (
    <DropdownMenu
      isOpen
      autoFocus
      // Below its button in any case: where the frame ends too soon, it grows.
      shouldFlip={false}
      strategy="absolute"
      placement="bottom-end"
      spacing="compact"
      menuLabel="Status"
      trigger={({ triggerRef }) => <span ref={triggerRef} className="check-status-anchor" />}
      onOpenChange={({ isOpen, event }) => {
        if (!isOpen) onClose(event instanceof KeyboardEvent);
      }}
    >
      <DropdownItemRadioGroup id={group}>
        {builtInStatuses.map(({ slug, name }) => (
          <DropdownItemRadio key={slug} id={slug} isSelected={slug === status?.slug} onClick={() => onChoose(slug)}>
            {name}
          </DropdownItemRadio>
        ))}
      </DropdownItemRadioGroup>
    </DropdownMenu>
  );
}
