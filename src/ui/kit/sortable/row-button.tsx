import type { ComponentProps, ComponentType } from 'react';
import './sortable.css';

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'aria-label' | 'title' | 'children'> {
  icon: ComponentType<{ label: string }>;
  /** What it does, to which row. */
  label: string;
}

/** A tool of a row: a plain button, since lists are long, and each of the kit's brings a tooltip along. */
export const RowButton = ({ icon: Icon, label, ...props }: Props) => (
  <button {...props} type="button" className="sortable-tool" aria-label={label} title={label}>
    <Icon label="" />
  </button>
);
