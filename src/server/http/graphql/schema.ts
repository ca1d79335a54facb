import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { refusals } from '../../../domain/messages.ts';
import { builder, type GraphContext } from './builder.ts';
import type { MutationError } from './payload.ts';
// Each module adds its fields to the builder.
import './queries.ts';
import './checklist.ts';
import './conversions.ts';
import './portal.ts';
import './enforcement.ts';
import './history.ts';
import './assigned.ts';
import './mutations.ts';
import './presence.ts';
import './jobs.ts';
import './statuses.ts';
import './template-views.ts';
import './templates.ts';
import './assignments.ts';
import './settings.ts';
import './api-tokens.ts';
import './webhooks.ts';
import './notifications.ts';

/**
 * Mutations that are permitted without a license: they change no data of a site, stop a job or a token, or delete the site's data.
 */
export const unlicensedMutations: readonly string[] = [
  'cancelJob',
  'editRow',
  'muteNotifications',
  'placeEditor',
  'removeSiteData',
  'reportSeen',
  'revokeApiToken',
  'updateNotificationSettings',
];

const refusal: { error: MutationError } = {
  error: { code: 'UNLICENSED', field: undefined, message: refusals.unlicensed },
};

/** Refuses all other mutations without an active license. All payloads have the same form of refusal. */
export function refuseUnlicensed(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of Object.entries(schema.getMutationType()?.getFields() ?? {})) {
    if (unlicensedMutations.includes(name)) continue;
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (root, args, context: GraphContext, info) =>
      context.caller.tenant.licensed ? resolve(root, args, context, info) : refusal;
  }
  return schema;
}

builder.queryType({});
builder.mutationType({});

/** The GraphQL schema. Needs no database, so that scripts can print it. */
export const schema = refuseUnlicensed(builder.toSchema());
