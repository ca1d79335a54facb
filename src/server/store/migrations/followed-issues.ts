import type { Migration } from './migration.ts';

/** Items that follow the issue that they were converted to. */
export const followedIssues: Migration = {
  name: 'followed issues',
  tables: [],
  statements: [
    `alter table conversion add column made text, add column follows boolean not null default false,
       add column reported boolean default false, add column reported_at timestamptz,
       add column applied boolean not null default false`,
    'create index conversion_followed on conversion (tenant, made) where follows',
  ],
};
