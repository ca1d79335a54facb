import type { Loss } from '../text/convert.ts';

/** What another notation could not keep, for people. */
export const lossText = ({ line, what, text }: Loss): string => `Line ${line}: ${what} ${JSON.stringify(text)}`;
