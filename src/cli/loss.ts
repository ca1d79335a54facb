import type { Loss } from '../text/convert.ts';

/** A message about content that another notation could not keep. */
export const lossText = ({ line, what, text }: Loss): string => `Line ${line}: ${what} ${JSON.stringify(text)}`;
