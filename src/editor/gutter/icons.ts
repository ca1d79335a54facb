import { type Status, statusPath } from '../../domain/statuses.ts';
import { icon } from '../element.ts';

/** A status as a picture. */
export const statusIcon = (status: Status): SVGElement => icon('cm-icon-status', statusPath(status));

/** Whether a section shows its rows. */
export const foldIcon = (folded: boolean): SVGElement => icon('cm-icon-line', folded ? 'M6 4l4 4-4 4' : 'M4 6l4 4 4-4');
