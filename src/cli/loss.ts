import { shortened } from '../text/convert/report.ts';
import type { Loss } from '../text/convert.ts';

/** Characters of a lost text that a message shows; `--json` has all. */
const MAX_SHOWN_CHARS = 200;

/** A message about content that another notation could not keep. */
export const lossText = ({ line, what, text }: Loss): string =>
  `Line ${line}: ${what} ${text === '' ? '' : JSON.stringify(shortened(text, MAX_SHOWN_CHARS))}`.trimEnd();
