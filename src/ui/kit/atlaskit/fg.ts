/**
 * Replaces `@atlaskit/platform-feature-flags` in builds and tests (alias in vite.config.ts): the original brings a 27
 * KB feature-gate client without a service to query here. Every gate is off, except the one that portals need under
 * React's strict mode.
 */
export const fg = (name: string): boolean => name === 'platform_design_system_team_portal_logic_r18_fix';
