import { DropdownItem, DropdownItemGroup, DropdownItemRadio, DropdownItemRadioGroup } from '@atlaskit/dropdown-menu';
import { useId } from 'react';
import { lozengeOf, type Status } from '../../../domain/statuses.ts';
import { Dropdown } from '../../kit/action-menu.tsx';
import { useBridge, useHostContext, useUser } from '../../shell/services/services.ts';

interface Props {
  /** The current status; `undefined` for several items. */
  status: Status | undefined;
  statuses: readonly Status[];
  onChoose(slug: string): void;
  /** `byKey`: closed by keyboard, so the focus is to be restored; not after a click elsewhere. */
  onClose(byKey: boolean): void;
}

/** The key of the project whose statuses the user has permission to manage. */
function useManaged(): string | undefined {
  const { canManageTemplates } = useUser();
  const { projectKey } = useHostContext();
  return canManageTemplates ? projectKey : undefined;
}

/** The menu of statuses. A lazy chunk, mounted while open. */
export default function StatusMenu({ status, statuses, onChoose, onClose }: Props) {
  const group = useId();
  const bridge = useBridge();
  const managed = useManaged();
  return (
    <Dropdown label="Status" onClose={onClose}>
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
    </Dropdown>
  );
}
