/**
 * The build's settings. Vite writes the value in as `__BUILD__` (vite.config.ts, from the environment); code that runs
 * unbuilt, such as tests, uses the defaults.
 */
export interface BuildSettings {
  edition: 'free' | 'pro';
  /** Semantic version without a leading v, e.g. `4.29.0`. */
  version: string;
  platform: 'cloud';
  /** Development and staging builds: keys end in `_development`, the version in `-staging`. */
  development: boolean;
  /** Overrides of the Free edition's limits. */
  limits: { globalTemplates?: number; projectTemplates?: number; itemsPerChecklist?: number };
}

declare const __BUILD__: BuildSettings | undefined;

export const build: BuildSettings =
  typeof __BUILD__ === 'undefined'
    ? { edition: 'pro', version: '4.29.0', platform: 'cloud', development: true, limits: {} }
    : __BUILD__;

/** The displayed version, e.g. `v4.29.0-staging`. */
export const versionLabel = `v${build.version}${build.development ? '-staging' : ''}`;
