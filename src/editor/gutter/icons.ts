import { type Status, statusPath } from '../../domain/statuses.ts';

function drawing(className: string, d: string): SVGElement {
  const dom = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  dom.setAttribute('viewBox', '0 0 16 16');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('class', className);
  path.setAttribute('d', d);
  dom.append(path);
  return dom;
}

/** A status as a picture. */
export const statusIcon = (status: Status): SVGElement => drawing('cm-icon-status', statusPath(status));

/** Whether a section shows its rows. */
export const foldIcon = (folded: boolean): SVGElement =>
  drawing('cm-icon-line', folded ? 'M6 4l4 4-4 4' : 'M4 6l4 4 4-4');
