/** Vite writes it in (vite.config.ts). */
declare const __COMMIT__: string | undefined;

/** The commit that this program was built from, abbreviated; `unknown` outside of a build. */
export const commit: string = typeof __COMMIT__ === 'undefined' ? 'unknown' : __COMMIT__;
