import { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import type { ReactNode } from 'react';
import { Dropdown } from './dropdown.tsx';

/** What can be done, as a menu names it. */
export interface MenuAction {
  label: string;
  run(): void;
}

interface Props<Action extends MenuAction> {
  label: string;
  /** In groups. */
  actions: readonly (readonly Action[])[];
  /** What stands behind an action's label. */
  mark?(action: Action): ReactNode;
  /** `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
}

/** A menu of actions, below the control that it is mounted in; it closes before one is done. */
export const ActionMenu = <Action extends MenuAction>({ label, actions, mark, onClose }: Props<Action>) => (
  <Dropdown label={label} onClose={onClose}>
    {actions.map((group, index) => (
      <DropdownItemGroup key={group[0]?.label} hasSeparator={index > 0}>
        {group.map(action => (
          <DropdownItem
            key={action.label}
            elemAfter={mark?.(action)}
            onClick={() => {
              onClose(true);
              action.run();
            }}
          >
            {action.label}
          </DropdownItem>
        ))}
      </DropdownItemGroup>
    ))}
  </Dropdown>
);
