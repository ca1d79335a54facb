import { type ComponentType, lazy } from 'react';

const Nothing = () => null;

/** A part that comes late, and that people do without where it does not come: nothing else goes with it. */
export const late = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Nothing })));
