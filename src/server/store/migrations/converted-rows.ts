import type { Migration } from './migration.ts';

/** Of which row an issue is made, and under which summary: whoever asks anew finds what was asked for before. */
export const convertedRows: Migration = {
  name: '2026-11-converted-rows',
  tables: [],
  statements: [
    'alter table conversion add column row text, add column summary text',
    'create index conversion_row on conversion (tenant, issue, row)',
  ],
};
