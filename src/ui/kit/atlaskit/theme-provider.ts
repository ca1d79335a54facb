import type { ReactNode } from 'react';

/**
 * Stands in for `ThemeProvider` of `@atlaskit/app-provider`, which the kit's portals render inside another one. The app
 * has none: its themes are style sheets (`tokens-plugin.ts`), and the provider brings 22 chunks of themes that are never loaded.
 */
export const ThemeProvider = ({ children }: { children: ReactNode }): ReactNode => children;
