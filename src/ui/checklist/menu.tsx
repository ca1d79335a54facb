import DropdownMenu, {
  DropdownItem,
  DropdownItemGroup,
  DropdownItemRadio,
  DropdownItemRadioGroup,
} from '@atlaskit/dropdown-menu';
import { useId } from 'react';
import { lozengeOf, type Status } from '../../domain/statuses.ts';
import { useBridge, useHostContext, useUser } from '../app/hooks.ts';
import { Anchor } from './anchor.tsx';
import { elsewhere, useFirstLetter } from './menu-keys.ts';

interface Props {
  /** The one that is set; several items have none in common. */
  status: Status | undefined;
  statuses: readonly Status[];
  onChoose(slug: string): void;
  /** The menu wants to be closed. `byKey`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(byKey: boolean): void;
}

/** The project in whose settings somebody may manage statuses. */
function useManaged(): string | undefined {
  const { canManageTemplates } = useUser();
  const { projectKey } = useHostContext();
  return canManageTemplates ? projectKey : undefined;
}

/** The statuses to choose from. A chunk of its own, mounted while it is open. */
export default function StatusMenu({ status, statuses, onChoose, onClose }: Props) {
  const group = useId();
  const bridge = useBridge();
  const managed = useManaged();
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
      menuLabel="Status"
      trigger={({ triggerRef }) => <Anchor triggerRef={triggerRef} />}
      onOpenChange={({ isOpen, event }) => {
        if (!isOpen) onClose(event instanceof KeyboardEvent);
      }}
    >
      <DropdownItemRadioGroup id={group}>
        {statuses.map(({ slug, name, color }) => (
          <DropdownItemRadio key={slug} id={slug} isSelected={slug === status?.slug} onClick={() => onChoose(slug)}>
            <span className={`check-status check-status-${lozengeOf[color]}`}>{name}</span>
          </DropdownItemRadio>
        ))}
      </DropdownItemRadioGroup>
      {managed === undefined ? null : (
        <DropdownItemGroup hasSeparator>
          <DropdownItem onClick={() => bridge.openSettings(managed)}>Manage statuses</DropdownItem>
        </DropdownItemGroup>
      )}
    </DropdownMenu>
  );
}
