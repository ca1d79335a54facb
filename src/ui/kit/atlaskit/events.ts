/**
 * Stands in for the hook of `@atlaskit/analytics-next` by which the kit's controls report that they were used (alias in
 * vite.config.ts): it weighs a kilobyte of the panel's first load, and nobody here listens.
 */
export const usePlatformLeafEventHandler = <Value>({ fn }: { fn(value: Value): void }): ((value: Value) => void) => fn;
