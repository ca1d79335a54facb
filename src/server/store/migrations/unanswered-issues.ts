import type { Migration } from './migration.ts';

/** The issue for which the tracker did not answer at a job's last try. */
export const unansweredIssues: Migration = {
  name: 'unanswered issues of jobs',
  tables: [],
  statements: ['alter table job add column unanswered text'],
};
