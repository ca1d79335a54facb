import type { ReactNode } from 'react';

/**
 * Replaces `ThemeProvider` of `@atlaskit/app-provider`, in which the design system's portals render. Themes are style
 * sheets here (`tokens-plugin.ts`); the original brings 22 chunks of themes that are never loaded.
 */
export const ThemeProvider = ({ children }: { children: ReactNode }): ReactNode => children;
