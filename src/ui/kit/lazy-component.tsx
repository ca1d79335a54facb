import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';

const Nothing = () => null;

/**
 * A component in its own chunk. If the chunk fails to load, `fallback` shows until unmount; the next mount loads again.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ComponentType<Props> = Nothing,
): ComponentType<Props> {
  let failed = false;
  const fetch = () => {
    failed = false;
    return load().catch(() => {
      failed = true;
      return { default: fallback };
    });
  };
  let current = lazy(fetch);
  return function LazyComponent(props) {
    const [Part] = useState(() => current);
    useEffect(
      () => () => {
        if (failed && current === Part) current = lazy(fetch);
      },
      [Part],
    );
    return <Part {...props} />;
  };
}

/** Gives a lazy component a boundary of its own. */
export function withFallback<Props extends object>(
  Part: ComponentType<Props>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  return props => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  );
}

/** A component in its own chunk and with its own boundary: `fallback` is in its place until it is loaded. */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback?: ReactNode,
): ComponentType<Props> => withFallback(lazyComponent(load), fallback);

/**
 * A component in a chunk that may load after the first render. Users render a plain substitute until the next mount:
 * replacing a visible button would lose its focus and pending click. `get` starts the load.
 */
export interface Preloadable<Props> {
  /** The component, if it is loaded. */
  get(): ComponentType<Props> | undefined;
  /** Resolves when the component is loaded or has failed to load. */
  settled(): Promise<void>;
}

export function preloadable<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const settled = () => {
    loading ??= load().then(
      part => {
        loaded = part.default;
      },
      () => undefined,
    );
    return loading;
  };
  return {
    get() {
      void settled();
      return loaded;
    },
    settled,
  };
}
