import { expect, test } from 'vitest';
import { routeOf, routes } from '../../src/ui/routes.tsx';

test.each([
  ['/checklist', '/checklist'],
  ['/checklist/42', '/checklist'],
  ['/save-template/42', '/save-template'],
  ['/project/statuses', '/project'],
  ['/editor/x', '/editor'],
  ['/templates', '/templates'],
  ['/templates/', '/templates'],
  ['/templates/new', '/templates/new'],
  ['/templates/assignments', '/templates/assignments'],
  ['/smart-hierarchy', '/smart-hierarchy'],
  ['/smart-templates-editor', '/smart-templates-editor'],
])('%s is the screen of %s', (path, route) => {
  expect(routeOf(path).path).toBe(route);
});

test.each(['/', '/checklists', '/templates/42', '/admin/users', '/history/1', '/smart-hierarchy/x'])(
  '%s is not found',
  path => {
    expect(routes).not.toContain(routeOf(path));
  },
);

test('the panel, workflow rules and the gadget render before the session is established', () => {
  expect(routes.filter(({ early }) => early).map(({ path }) => path)).toEqual([
    '/checklist',
    '/workflow-rule',
    '/gadget',
  ]);
});
