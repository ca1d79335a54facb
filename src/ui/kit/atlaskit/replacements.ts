import type { ReactNode } from 'react';

/**
 * Replaces `@atlaskit/platform-feature-flags` in builds and tests (alias in vite.config.ts): the original brings a 27
 * KB feature-gate client without a service to query here. Every gate is off, except the one that portals need under
 * React's strict mode.
 */
export const fg = (name: string): boolean => name === 'platform_design_system_team_portal_logic_r18_fix';

/**
 * Replaces the analytics hook of `@atlaskit/analytics-next` (alias in vite.config.ts), whose events have no listener
 * here; saves 1 KB of the panel's first load.
 */
export const usePlatformLeafEventHandler = <Value>({ fn }: { fn(value: Value): void }): ((value: Value) => void) => fn;

/**
 * Replaces `ThemeProvider` of `@atlaskit/app-provider`, in which the design system's portals render. Themes are style
 * sheets here (`tokens-plugin.ts`); the original brings 22 chunks of themes that are never loaded.
 */
export const ThemeProvider = ({ children }: { children: ReactNode }): ReactNode => children;
