/**
 * Stands in for `@atlaskit/platform-feature-flags` in builds and tests (alias in vite.config.ts): the real one brings
 * 27 KB of a feature-gate client that has nobody to ask here. Every gate is off, except the one that keeps portals
 * alive under React's strict mode.
 */
export const fg = (name: string): boolean => name === 'platform_design_system_team_portal_logic_r18_fix';
