import DropdownMenu, { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import { type ReactNode, type Ref, type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLayer } from './use-layer.ts';

interface Props {
  label: string;
  /** Requests closing. `withFocus`: closed by keyboard, so the focus goes back to the opener. */
  onClose(withFocus: boolean): void;
  children: ReactNode;
}

/** Passed to the design system's menu to turn off its focus return: callers place the focus on close. */
const noFocusReturn: RefObject<HTMLElement> = { current: document.body };

/** A menu below the control that contains this element; open while mounted. */
export function Dropdown({ label, onClose, children }: Props) {
  useFirstLetter();
  const [isOpen, setOpen] = useState(true);
  useLayer(isOpen, withFocus => {
    // The design system's menu keeps the focus until it is closed.
    flushSync(() => setOpen(false));
    onClose(withFocus);
  });
  return (
    <DropdownMenu
      isOpen={isOpen}
      autoFocus
      // Always below its button: the frame grows if it is too short.
      shouldFlip={false}
      strategy="absolute"
      placement="bottom-end"
      spacing="compact"
      returnFocusRef={noFocusReturn}
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
 * Makes the whole control the menu's trigger, so that the press that opens the menu does not count as an outside click.
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

/** Moves the focus to the next entry that begins with the typed letter. */
function useFirstLetter(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const focusedElement = document.activeElement;
      const menu = focusedElement?.closest('[role=menu]');
      if (!menu || key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
      const entries = [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];
      const at = entries.findIndex(entry => entry.contains(focusedElement));
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

/** An entry of a menu of actions. */
export interface MenuAction {
  label: string;
  run(): void;
}

interface ActionsProps<Action extends MenuAction> {
  label: string;
  actions: readonly (readonly Action[])[];
  /** Rendered after an action's label. */
  mark?(action: Action): ReactNode;
  /** See `Dropdown`. */
  onClose(withFocus: boolean): void;
  /** Below the actions. */
  children?: ReactNode;
}

/** A menu of grouped actions below the control that contains it. */
export const ActionMenu = <Action extends MenuAction>({
  label,
  actions,
  mark,
  onClose,
  children,
}: ActionsProps<Action>) => (
  <Dropdown label={label} onClose={onClose}>
    {actions.map((group, index) => (
      <DropdownItemGroup key={group[0]?.label} hasSeparator={index > 0}>
        {group.map(action => (
          <DropdownItem
            key={action.label}
            elemAfter={mark?.(action)}
            onClick={() => {
              // First the focus returns to the opener: a deleted row passes it on.
              flushSync(() => onClose(true));
              action.run();
            }}
          >
            {action.label}
          </DropdownItem>
        ))}
      </DropdownItemGroup>
    ))}
    {children}
  </Dropdown>
);
