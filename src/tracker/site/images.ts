import { issueTypes, priorities, seedProjects } from './catalogue.ts';
import { personOf } from './people.ts';

/** The site's pictures, drawn here: avatars and icons as SVG. */

const svg = (size: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 16 16">${content}</svg>`;

const white = 'fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"';
const tile = (color: string, mark: string): string =>
  `<rect width="16" height="16" rx="3" fill="${color}"/><path d="${mark}" ${white}/>`;

const typeIcons: Record<string, string> = {
  epic: tile('#904ee2', 'M8.8 3.5 5 8.6h5.4L7 12.6'),
  story: tile('#63ba3c', 'M5 3.8h6v8.4L8 9.8l-3 2.4z'),
  bug: tile('#e5493a', 'M5.2 8a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0'),
  subtask: tile('#4bade8', 'M4 4h5v5H4zM7.5 11.8h4.3V7.5'),
  request: tile('#2684ff', 'M8 12.4V8M4.6 9.2V7.4a3.4 3.4 0 0 1 6.8 0v1.8'),
  incident: tile('#ff5630', 'M8 3.8 12.6 12H3.4zM8 7v2'),
};

const priorityMarks: Record<string, string> = {
  highest: 'M4 8l4-4 4 4M4 12.5l4-4 4 4',
  high: 'M4 10l4-4 4 4',
  medium: 'M4 6h8M4 10h8',
  low: 'M4 6l4 4 4-4',
  lowest: 'M4 3.5l4 4 4-4M4 8l4 4 4-4',
};

const categoryColors: Record<string, string> = { new: '#8590a2', indeterminate: '#e2b203', done: '#22a06b' };

const letters = (text: string, y: number, fontSize: number): string =>
  `<text x="8" y="${y}" fill="#fff" font-family="sans-serif" font-weight="600" font-size="${fontSize}" text-anchor="middle">${text}</text>`;

/** The picture of `/images/{group}/{name}.svg` at so many pixels; `undefined` when there is none. */
export function imageOf(group: string, name: string, size: number): string | undefined {
  const drawing = drawings[group]?.(name);
  return drawing === undefined ? undefined : svg(size, drawing);
}

const drawings: Record<string, (name: string) => string | undefined> = {
  avatars(accountId) {
    const person = personOf(accountId);
    if (!person) return undefined;
    const initials = person.displayName.replace(/(\w)\w*\s*/g, '$1');
    return `<circle cx="8" cy="8" r="8" fill="${person.color}"/>${letters(initials, 10.4, 6.6)}`;
  },
  types: name => (issueTypes.some(({ icon }) => icon === name) ? typeIcons[name] : undefined),
  priorities(name) {
    const priority = priorities.find(({ icon }) => icon === name);
    return (
      priority &&
      `<path d="${priorityMarks[name]}" fill="none" stroke="${priority.color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`
    );
  },
  statuses: name => categoryColors[name] && `<circle cx="8" cy="8" r="5" fill="${categoryColors[name]}"/>`,
  projects(key) {
    const index = seedProjects.findIndex(project => project.key === key);
    const color = ['#1868db', '#6e5dc6'][index];
    return color && `<rect width="16" height="16" rx="3" fill="${color}"/>${letters(key.charAt(0), 11.4, 9.5)}`;
  },
};
