/**
 * Replaces the analytics hook of `@atlaskit/analytics-next` (alias in vite.config.ts), whose events have no listener
 * here; saves 1 KB of the panel's first load.
 */
export const usePlatformLeafEventHandler = <Value>({ fn }: { fn(value: Value): void }): ((value: Value) => void) => fn;
