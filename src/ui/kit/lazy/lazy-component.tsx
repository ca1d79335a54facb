import { type ComponentType, lazy, useEffect, useState } from 'react';

const Nothing = () => null;

/**
 * A part in a chunk of its own. Where the chunk cannot be fetched, `standIn` shows for as long as the part is mounted, and
 * nothing else goes with it; the next time it is fetched again.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  standIn: ComponentType<Props> = Nothing,
): ComponentType<Props> {
  let failed = false;
  const fetch = () => {
    failed = false;
    return load().catch(() => {
      failed = true;
      return { default: standIn };
    });
  };
  let newest = lazy(fetch);
  return function LazyComponent(props) {
    const [Part] = useState(() => newest);
    useEffect(
      () => () => {
        if (failed && newest === Part) newest = lazy(fetch);
      },
      [Part],
    );
    return <Part {...props} />;
  };
}

/**
 * A part that comes late and that something plain stands in for. `get` begins to fetch it. What is on the screen is not
 * replaced when the part is here: a button that is loses the click and the focus that it was just given.
 */
export interface Preloadable<Props> {
  /** The part, once it is here. */
  get(): ComponentType<Props> | undefined;
  /** Resolves when it is here or cannot be had. */
  settled(): Promise<void>;
}

export function preloadable<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
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
