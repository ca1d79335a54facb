import { type ComponentType, lazy } from 'react';

const Nothing = () => null;

/** A part that comes late. Where it does not come, its stand-in stays, or people do without; nothing else goes with it. */
export const late = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  standIn: ComponentType<Props> = Nothing,
) => lazy<ComponentType<Props>>(() => load().catch(() => ({ default: standIn })));
