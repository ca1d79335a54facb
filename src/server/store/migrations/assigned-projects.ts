import type { Migration } from './migration.ts';

/** In which project an assigned item is, so that it can be asked for by project. */
export const assignedProjects: Migration = {
  name: '2026-11-assigned-projects',
  tables: [],
  statements: ['alter table assigned_item add column project text'],
};
