import { builder } from './builder.ts';

const BaseInput = builder.inputType('BaseInput', {
  description:
    'What an edit started from. The server answers BASE_UNKNOWN when it does not know it; the client then sends text too.',
  fields: t => ({
    epoch: t.string(),
    seq: t.int(),
    hash: t.string(),
    text: t.string({ required: false }),
  }),
});

const TargetInput = builder.inputType('TargetInput', {
  description: 'A row: where it was and what it said.',
  fields: t => ({ index: t.int(), text: t.string() }),
});

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** What every change says: of which issue, by which id of the client's, on what base. */
const change = (t: Fields) => ({ issueId: t.id(), clientId: t.id(), base: t.field({ type: BaseInput }) });

export const UpdateInput = builder.inputType('UpdateChecklistFromTextInput', {
  fields: t => ({ ...change(t), text: t.string(), name: t.string({ required: false }) }),
});

export const AddInput = builder.inputType('AddChecklistItemsFromTextInput', {
  fields: t => ({
    ...change(t),
    text: t.string(),
    index: t.int({ required: false, description: 'The row before which the items go; without it, the end.' }),
  }),
});

export const StatusInput = builder.inputType('SetItemStatusInput', {
  fields: t => ({
    ...change(t),
    target: t.field({ type: TargetInput }),
    status: t.string({ description: "The status's slug." }),
  }),
});

export const DeleteInput = builder.inputType('DeleteChecklistItemInput', {
  fields: t => ({ ...change(t), target: t.field({ type: TargetInput }) }),
});
