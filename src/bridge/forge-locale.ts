/** Stands in for `@forge/i18n` in the build: the vendor's `getContext` tidies a locale by it, and brings 4 KB for that. */
export const ensureLocale = (locale: string): string => locale;
