import type { ItemValues, RowEdit, RowTarget, TemplatePlace } from '../../domain/edits.ts';
import { builder } from './builder.ts';
import * as inputs from './inputs.ts';
import { ChecklistPayload, change } from './payload.ts';

/** What GraphQL gives for an input that may be left out. */
type Maybe<T> = T | null | undefined;

/** For a person or a day `null` is a value of its own; for the others it is as good as nothing. */
function valuesOf(given: { [Name in keyof ItemValues]: Maybe<ItemValues[Name]> }): ItemValues {
  const { text, details, mandatory, assignee, dueDate, names } = given;
  return {
    ...(text != null && { text }),
    ...(details != null && { details }),
    ...(mandatory != null && { mandatory }),
    ...(assignee !== undefined && { assignee }),
    ...(dueDate !== undefined && { dueDate }),
    ...(names != null && { names }),
  };
}

type SentEdit = {
  setStatus?: Maybe<{ target: RowTarget; status: string }>;
  update?: Maybe<{ target: RowTarget; values: Parameters<typeof valuesOf>[0] }>;
  delete?: Maybe<{ target: RowTarget }>;
};

/** GraphQL lets exactly one of them through. */
function rowEditsOf({ setStatus, update, delete: deletion }: SentEdit): RowEdit[] {
  if (setStatus) return [{ kind: 'setItemStatus', ...setStatus }];
  if (update) return [{ kind: 'updateChecklistItem', target: update.target, values: valuesOf(update.values) }];
  return deletion ? [{ kind: 'deleteChecklistItem', ...deletion }] : [];
}

const placeOf = ({ mode, section }: { mode: TemplatePlace['mode']; section?: Maybe<RowTarget> }): TemplatePlace => ({
  mode,
  ...(section != null && { section }),
});

// Each is the edit of its name, and each input the edit's members besides what every change says.
builder.mutationFields(t => ({
  updateChecklistFromText: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.UpdateInput }) },
    resolve: (_root, { input }, context) => {
      const { text, name } = input;
      return change(context, input, { kind: 'updateChecklistFromText', text, ...(name != null && { name }) });
    },
  }),
  addChecklistItemsFromText: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.AddInput }) },
    resolve: (_root, { input }, context) => {
      const { text, index } = input;
      return change(context, input, { kind: 'addChecklistItemsFromText', text, ...(index != null && { index }) });
    },
  }),
  setItemStatus: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.StatusInput }) },
    resolve: (_root, { input }, context) => {
      const { target, status } = input;
      return change(context, input, { kind: 'setItemStatus', target, status });
    },
  }),
  updateChecklistItem: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.ItemInput }) },
    resolve: (_root, { input }, context) => {
      const { target, values } = input;
      return change(context, input, { kind: 'updateChecklistItem', target, values: valuesOf(values) });
    },
  }),
  deleteChecklistItem: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.DeleteInput }) },
    resolve: (_root, { input }, context) =>
      change(context, input, { kind: 'deleteChecklistItem', target: input.target }),
  }),
  changeChecklistItems: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.ItemsInput }) },
    resolve: (_root, { input }, context) =>
      change(context, input, { kind: 'changeChecklistItems', edits: input.edits.flatMap(rowEditsOf) }),
  }),
  moveChecklistItem: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.MoveInput }) },
    resolve: (_root, { input }, context) => {
      const { targets, section, index } = input;
      return change(context, input, { kind: 'moveChecklistItem', targets, section, index });
    },
  }),
  clearChecklist: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.ClearInput }) },
    resolve: (_root, { input }, context) => change(context, input, { kind: 'clearChecklist' }),
  }),
  applyTemplateToChecklist: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.TemplateInput }) },
    resolve: (_root, { input }, context) => {
      const { templateIds } = input;
      return change(context, input, { kind: 'applyTemplateToChecklist', templateIds, ...placeOf(input) });
    },
  }),
  applyDemoTemplateToChecklist: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.DemoInput }) },
    resolve: (_root, { input }, context) =>
      change(context, input, { kind: 'applyDemoTemplateToChecklist', ...placeOf(input) }),
  }),
  convertItemToIssue: t.field({
    type: ChecklistPayload,
    description: 'Makes an issue of the item, which then bears its key. It takes the permission to create issues too.',
    args: { input: t.arg({ type: inputs.ConvertInput }) },
    resolve: (_root, { input }, context) => {
      const { target, to } = input;
      return change(context, input, { kind: 'convertItemToIssue', target, to });
    },
  }),
  restoreChecklistRevision: t.field({
    type: ChecklistPayload,
    args: { input: t.arg({ type: inputs.RestoreInput }) },
    resolve: (_root, { input }, context) => {
      const { epoch, seq } = input;
      return change(context, input, { kind: 'restoreChecklistRevision', epoch, seq });
    },
  }),
}));
