import type { Ref } from 'react';

interface Props {
  triggerRef: Ref<HTMLElement>;
}

/**
 * What one of the kit's menus takes for its trigger: the control that it is mounted in, the button included. So the menu
 * stands below that, and does not take the press that opens it for one elsewhere, by which it would close again.
 */
export const Anchor = ({ triggerRef }: Props) => (
  <span
    hidden
    ref={node => {
      const control = node?.parentElement ?? null;
      if (typeof triggerRef === 'function') triggerRef(control);
      else if (triggerRef) triggerRef.current = control;
    }}
  />
);
