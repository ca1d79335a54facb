import type { Status } from '../../domain/statuses.ts';
import { isBuiltIn } from '../../text/head.ts';

const box = 'M4 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z';
const ring = 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2z';
const tick = 'M5 8.5l2 2 4-4.5';
const cross = 'M5.5 5.5l5 5M10.5 5.5l-5 5';
const half = 'M4 8h8v2.5A1.5 1.5 0 0 1 10.5 12h-5A1.5 1.5 0 0 1 4 10.5z';
const dot = 'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z';

function path(className: string, d: string): SVGElement {
  const dom = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  dom.setAttribute('class', className);
  dom.setAttribute('d', d);
  return dom;
}

function drawing(...parts: SVGElement[]): SVGElement {
  const dom = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  dom.setAttribute('viewBox', '0 0 16 16');
  dom.append(...parts);
  return dom;
}

const outline = (d: string) => path('cm-icon-outline', d);
const filled = (d: string) => path('cm-icon-filled', d);
const part = (d: string) => path('cm-icon-part', d);
const line = (d: string) => path('cm-icon-line', d);

/** A status as a picture. Shapes differ, not colours alone: boxes are the four that every site has, rings its own. */
export function statusIcon(status: Status): SVGElement {
  if (!isBuiltIn(status)) {
    return status.checked ? drawing(filled(ring), path('cm-icon-tick', tick)) : drawing(outline(ring), part(dot));
  }
  switch (status.slug) {
    case 'done':
      return drawing(filled(box), path('cm-icon-tick', tick));
    case 'skipped':
      return drawing(outline(box), line(cross));
    case 'in_progress':
      return drawing(outline(box), part(half));
  }
  return drawing(outline(box));
}

/** Whether a section shows its rows. */
export const foldIcon = (folded: boolean): SVGElement => drawing(line(folded ? 'M6 4l4 4-4 4' : 'M4 6l4 4 4-4'));
