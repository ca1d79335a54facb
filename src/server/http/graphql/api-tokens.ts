import { API_PATH, tokenScopes } from '../../../domain/api/operations.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { apiTokens as messages } from '../../../domain/messages.ts';
import type { ApiToken } from '../../api-tokens/types.ts';
import { Refused } from '../../errors/refused.ts';
import { builder } from './builder.ts';
import { type Answer, AnswerInterface, toAnswer } from './payload.ts';

const TokenScopeType = builder.enumType('ApiTokenScope', {
  description: 'What an API token can do. WRITE is read and write.',
  values: tokenScopes,
});

const ApiTokenType = builder.objectRef<ApiToken>('ApiToken').implement({
  description: 'A token of the REST API, without its secret.',
  fields: t => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    scope: t.expose('scope', { type: TokenScopeType }),
    projectIds: t.idList({ description: 'Empty for the whole site.', resolve: ({ projects }) => projects }),
    account: t.exposeString('account', { description: 'The account that created it.' }),
    created: t.string({ description: 'ISO time.', resolve: ({ created }) => created.toISOString() }),
    until: t.string({
      nullable: true,
      description: 'ISO time when it expires.',
      resolve: ({ until }) => until?.toISOString() ?? null,
    }),
    used: t.string({
      nullable: true,
      description: 'ISO time of its last use, to a minute.',
      resolve: ({ used }) => used?.toISOString() ?? null,
    }),
  }),
});

const CreatedPayload = builder
  .objectRef<Answer<{ token: ApiToken; secret: string }>>('CreateApiTokenPayload')
  .implement({
    interfaces: [AnswerInterface],
    fields: t => ({
      token: t.field({
        type: ApiTokenType,
        nullable: true,
        resolve: answer => ('error' in answer ? null : answer.value.token),
      }),
      secret: t.string({
        nullable: true,
        description: 'The whole token. It is not stored, and never shown again.',
        resolve: answer => ('error' in answer ? null : answer.value.secret),
      }),
    }),
  });

const RevokedPayload = builder.objectRef<Answer<ApiToken[]>>('RevokeApiTokenPayload').implement({
  interfaces: [AnswerInterface],
  fields: t => ({
    tokens: t.field({
      type: [ApiTokenType],
      nullable: true,
      description: 'The other tokens.',
      resolve: answer => ('error' in answer ? null : answer.value),
    }),
  }),
});

const CreateInput = builder.inputType('CreateApiTokenInput', {
  fields: t => ({
    name: t.string(),
    scope: t.field({ type: TokenScopeType }),
    projectIds: t.idList({ description: 'Empty for the whole site.' }),
    until: t.string({ required: false, description: 'ISO time when it expires; null for never.' }),
  }),
});

/** Throws `Refused` for a value that is no ISO time. */
function timeOf(text: string | null | undefined): Date | null {
  if (text == null) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Refused('UNREADABLE', fieldErrors.REQUIRED, 'until');
  return time;
}

builder.queryFields(t => ({
  apiTokens: t.field({
    type: [ApiTokenType],
    description: 'The valid and the expired API tokens of the site, for its administrators.',
    resolve: (_root, _args, { apiTokens }) => apiTokens.list(),
  }),
  apiUrl: t.string({
    description: 'The address of the REST API.',
    resolve: (_root, _args, { baseUrl }) => `${baseUrl}${API_PATH}`,
  }),
}));

builder.mutationFields(t => ({
  createApiToken: t.field({
    type: CreatedPayload,
    args: { input: t.arg({ type: CreateInput }) },
    resolve: (_root, { input: { name, scope, projectIds: projects, until } }, { apiTokens }) =>
      toAnswer(
        Promise.resolve().then(() => apiTokens.create({ name, scope, projects, until: timeOf(until) })),
        messages.created,
      ),
  }),
  revokeApiToken: t.field({
    type: RevokedPayload,
    args: { id: t.arg.id() },
    resolve: (_root, { id }, { apiTokens }) => toAnswer(apiTokens.revoke(id), messages.revoked),
  }),
}));
