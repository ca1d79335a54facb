import { GraphQLError } from 'graphql';
import * as z from 'zod';
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

const names = z.record(z.string(), z.string());

builder.scalarType('Names', {
  description: 'Display names by account id; only in inputs.',
  serialize: value => value,
  parseValue(value) {
    const parsed = names.safeParse(value);
    if (!parsed.success) throw new GraphQLError('Names are an object of strings.');
    return parsed.data;
  },
});

const ItemValuesInput = builder.inputType('ItemValuesInput', {
  description: 'What is set on an item; what is left out stays. For a person or a day, null takes it away.',
  fields: t => ({
    text: t.string({ required: false }),
    details: t.string({ required: false, description: 'Lines, without their marks.' }),
    mandatory: t.boolean({ required: false }),
    assignee: t.string({ required: false, description: 'Account id.' }),
    dueDate: t.string({ required: false, description: 'ISO day.' }),
    names: t.field({
      type: 'Names',
      required: false,
      description: 'What a person who is mentioned inside the sentence is called when the assignment is taken away.',
    }),
  }),
});

const TemplateMode = builder.enumType('TemplateMode', {
  description: 'APPEND adds rows at the end, REPLACE puts them in place of those that are there.',
  values: ['APPEND', 'REPLACE'] as const,
});

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** What every change says: of which issue, by which id of the client's, on what base. */
const change = (t: Fields) => ({ issueId: t.id(), clientId: t.id(), base: t.field({ type: BaseInput }) });

const target = (t: Fields) => ({ target: t.field({ type: TargetInput }) });

const place = (t: Fields) => ({
  mode: t.field({ type: TemplateMode }),
  section: t.field({
    type: TargetInput,
    required: false,
    description: 'The header of the section that they go to; without it, the whole checklist.',
  }),
});

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
  fields: t => ({ ...change(t), ...target(t), status: t.string({ description: "The status's slug." }) }),
});

export const ItemInput = builder.inputType('UpdateChecklistItemInput', {
  fields: t => ({ ...change(t), ...target(t), values: t.field({ type: ItemValuesInput }) }),
});

export const DeleteInput = builder.inputType('DeleteChecklistItemInput', {
  fields: t => ({ ...change(t), ...target(t) }),
});

const StatusEditInput = builder.inputType('StatusEditInput', {
  fields: t => ({ ...target(t), status: t.string({ description: "The status's slug." }) }),
});

const ValuesEditInput = builder.inputType('ValuesEditInput', {
  fields: t => ({ ...target(t), values: t.field({ type: ItemValuesInput }) }),
});

const DeletionInput = builder.inputType('DeletionInput', { fields: t => target(t) });

const RowEditInput = builder.inputType('RowEditInput', {
  description: 'What becomes of one row.',
  isOneOf: true,
  fields: t => ({
    setStatus: t.field({ type: StatusEditInput, required: false }),
    update: t.field({ type: ValuesEditInput, required: false }),
    delete: t.field({ type: DeletionInput, required: false }),
  }),
});

export const ItemsInput = builder.inputType('ChangeChecklistItemsInput', {
  description: 'Changes of several rows, each named once and as it stood before; all of them are made, or none.',
  fields: t => ({ ...change(t), edits: t.field({ type: [RowEditInput] }) }),
});

export const MoveInput = builder.inputType('MoveChecklistItemInput', {
  fields: t => ({
    ...change(t),
    targets: t.field({ type: [TargetInput] }),
    section: t.boolean({ description: 'The first target is a header, which goes with its section.' }),
    index: t.int({ description: 'The row before which they go, as counted before; the number of rows is the end.' }),
  }),
});

export const ClearInput = builder.inputType('ClearChecklistInput', { fields: t => change(t) });

export const TemplateInput = builder.inputType('ApplyTemplateToChecklistInput', {
  fields: t => ({ ...change(t), templateIds: t.idList(), ...place(t) }),
});

export const DemoInput = builder.inputType('ApplyDemoTemplateToChecklistInput', {
  fields: t => ({ ...change(t), ...place(t) }),
});

const ConversionTarget = builder.enumType('ConversionTarget', {
  description: 'What becomes of an item: an issue below this one, or one that is linked to it.',
  values: ['SUBTASK', 'LINKED_ISSUE'] as const,
});

export const ConvertInput = builder.inputType('ConvertItemToIssueInput', {
  fields: t => ({ ...change(t), ...target(t), to: t.field({ type: ConversionTarget }) }),
});

export const RestoreInput = builder.inputType('RestoreChecklistRevisionInput', {
  description: 'Which version takes the place of the text.',
  fields: t => ({ ...change(t), epoch: t.string(), seq: t.int() }),
});
