import { type ComponentType, lazy } from 'react';

const Nothing = () => null;

/** A part that comes late. Where it does not come, its stand-in stays, or people do without; nothing else goes with it. */
export const late = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  standIn: ComponentType<Props> = Nothing,
) => lazy<ComponentType<Props>>(() => load().catch(() => ({ default: standIn })));

/**
 * A part that comes late and that something plain stands in for. `get` begins to fetch it. What is on the screen is not
 * replaced when the part is here: a button that is loses the click and the focus that it was just given.
 */
export interface Arriving<Props> {
  /** The part, once it is here. */
  get(): ComponentType<Props> | undefined;
  /** Resolves when it is here or cannot be had. */
  settled(): Promise<void>;
}

export function arriving<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Arriving<Props> {
  let here: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const settled = () => {
    coming ??= load().then(
      part => {
        here = part.default;
      },
      () => undefined,
    );
    return coming;
  };
  return {
    get() {
      void settled();
      return here;
    },
    settled,
  };
}
