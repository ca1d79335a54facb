import type { Migration } from './migration.ts';

/** What a transaction relies on fails as a statement does, so that those after it need not wait for its answer. */
export const demand: Migration = {
  name: '2026-11-demand',
  tables: [],
  statements: [
    `create function demand(holds boolean, what text) returns void language plpgsql as $$ begin
       if holds is not true then raise exception using errcode = 'CL001', message = what; end if;
     end $$`,
  ],
};
