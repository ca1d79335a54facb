import type { ComponentProps, ComponentType } from 'react';
import './sortable.css';

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'aria-label' | 'title' | 'children'> {
  icon: ComponentType<{ label: string }>;
  /** The action and its row. */
  label: string;
}

/**
 * An icon button of a row. Plain HTML: lists are long, and each of the design system's buttons has a tooltip component.
 */
export const RowButton = ({ icon: Icon, label, ...props }: Props) => (
  <button {...props} type="button" className="sortable-tool" aria-label={label} title={label}>
    <Icon label="" />
  </button>
);
