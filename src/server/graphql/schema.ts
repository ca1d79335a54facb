import { builder } from './builder.ts';
import { refuseUnlicensed } from './licensed.ts';
// Each module adds its fields to the builder.
import './flags.ts';
import './checklist.ts';
import './history.ts';
import './assigned.ts';
import './summaries.ts';
import './permissions.ts';
import './mutations.ts';
import './presence.ts';
import './jobs.ts';
import './statuses.ts';
import './template-views.ts';
import './templates.ts';
import './assignments.ts';
import './settings.ts';

builder.queryType({});
builder.mutationType({});

/** The GraphQL schema. Made without a database, so that scripts can print it. */
export const schema = refuseUnlicensed(builder.toSchema());
