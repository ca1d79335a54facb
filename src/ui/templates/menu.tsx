import { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import { Dropdown } from '../checklist/dropdown.tsx';
import { useLayer } from '../parts/layers.ts';

export interface EntryAction {
  label: string;
  run(): void;
}

interface Props {
  label: string;
  /** In groups. */
  actions: readonly (readonly EntryAction[])[];
  /** `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
}

/** The menu of what can be done to a template, below the control that it is mounted in. */
export function ActionMenu({ label, actions, onClose }: Props) {
  useLayer(true, () => onClose(false));
  return (
    <Dropdown label={label} onClose={onClose}>
      {actions.map((group, index) => (
        <DropdownItemGroup key={group[0]?.label} hasSeparator={index > 0}>
          {group.map(({ label, run }) => (
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
    </Dropdown>
  );
}
