import DropdownMenu, { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import { type ReactNode, type Ref, type RefObject, useEffect } from 'react';

interface Props {
  label: string;
  /** The menu wants to be closed. `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
  children: ReactNode;
}

/** Where the kit's menu takes the focus when it closes: nowhere, since whoever opened it knows what comes next. */
const elsewhere: RefObject<HTMLElement> = { current: document.body };

/** The kit's menu below the control that it is mounted in, for as long as it is mounted. */
export function Dropdown({ label, onClose, children }: Props) {
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
      menuLabel={label}
      trigger={({ triggerRef }) => <Anchor triggerRef={triggerRef} />}
      onOpenChange={({ isOpen, event }) => {
        if (!isOpen) onClose(event instanceof KeyboardEvent);
      }}
    >
      {children}
    </DropdownMenu>
  );
}

/**
 * What the menu takes for its trigger: the control, its button included. So it does not take the press that opens it
 * for one elsewhere, by which it would close again.
 */
const Anchor = ({ triggerRef }: { triggerRef: Ref<HTMLElement> }) => (
  <span
    hidden
    ref={node => {
      const control = node?.parentElement ?? null;
      if (typeof triggerRef === 'function') triggerRef(control);
      else if (triggerRef) triggerRef.current = control;
    }}
  />
);

/** In the menu that is open, a letter goes to the next entry that begins with it. */
function useFirstLetter(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const here = document.activeElement;
      const menu = here?.closest('[role=menu]');
      if (!menu || key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
      const entries = [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];
      const at = entries.findIndex(entry => entry.contains(here));
      const next = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].find(entry =>
        entry.textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
      );
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** What can be done, as a menu names it. */
export interface MenuAction {
  label: string;
  run(): void;
}

interface ActionsProps<Action extends MenuAction> {
  label: string;
  /** In groups. */
  actions: readonly (readonly Action[])[];
  /** What stands behind an action's label. */
  mark?(action: Action): ReactNode;
  /** `withFocus`: the keyboard is still here, and not at what was clicked elsewhere. */
  onClose(withFocus: boolean): void;
}

/** A menu of actions, below the control that it is mounted in; it closes before one is done. */
export const ActionMenu = <Action extends MenuAction>({ label, actions, mark, onClose }: ActionsProps<Action>) => (
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
