import { shortened } from '../text/convert/report.ts';
import type { Loss } from '../text/convert.ts';

/** A message shows this much of a lost text. `--json` has the whole text. */
const MAX_SHOWN_CHARS = 200;

/** A message about content that another notation could not keep. */
export const lossText = ({ line, what, text }: Loss): string =>
  `Line ${line}: ${what} ${text === '' ? '' : JSON.stringify(shortened(text, MAX_SHOWN_CHARS))}`.trimEnd();
