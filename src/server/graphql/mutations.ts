import { GraphQLError } from 'graphql';
import * as v from 'valibot';
import { changeSchema } from '../../domain/change.ts';
import { issueFlags } from '../../domain/permissions.ts';
import { builder } from './builder.ts';
import { ChecklistPayload, change } from './payload.ts';

builder.scalarType('ChecklistChange', {
  description:
    'One change of a checklist: an object whose kind says what else it has (src/domain/change.ts). Only in inputs.',
  serialize: value => value,
  parseValue(value) {
    const parsed = v.safeParse(changeSchema, value, { abortEarly: true });
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    throw new GraphQLError(`A change has something wrong at "${v.getDotPath(issue) ?? 'kind'}".`);
  },
});

const BaseInput = builder.inputType('BaseInput', {
  description:
    'What a change started from. The server answers BASE_UNKNOWN when it does not know it; the client then sends text too.',
  fields: t => ({
    epoch: t.string(),
    seq: t.int(),
    hash: t.string(),
    text: t.string({ required: false }),
  }),
});

const ChangeChecklistInput = builder.inputType('ChangeChecklistInput', {
  fields: t => ({
    issueId: t.id(),
    clientId: t.id({ description: 'Made up by the client: the same again is the same change again.' }),
    base: t.field({ type: BaseInput }),
    change: t.field({ type: 'ChecklistChange' }),
  }),
});

builder.mutationField('changeChecklist', t =>
  t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: ChangeChecklistInput }) },
    resolve: (_root, { input }, context) => change(context, input, input.change),
  }),
);

const SeenProperty = builder.inputType('SeenPropertyInput', {
  description: 'The stamp of a property, and the hash of its text.',
  fields: t => ({ epoch: t.string(), seq: t.int(), hash: t.string() }),
});

builder.mutationField('reportSeen', t =>
  t.boolean({
    description:
      "A hint of what the user's page saw in the tracker: the property, the hash of the field's text, flags that the user lacks. What contradicts it is read, or asked, again.",
    args: {
      issueId: t.arg.id(),
      property: t.arg({ type: SeenProperty, required: false }),
      field: t.arg.string({ required: false }),
      lacking: t.arg.stringList({ required: false }),
    },
    resolve: async (_root, { issueId, property, field, lacking }, { checklists }) => {
      await checklists.seen(issueId, {
        property: property ?? undefined,
        field: field ?? undefined,
        lacking: issueFlags.filter(flag => lacking?.includes(flag)),
      });
      return true;
    },
  }),
);
