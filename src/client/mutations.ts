import * as v from 'valibot';
import { checklistFields, checklistShape, graphql, operation } from './operation.ts';

const payloadFields = `
  checklist { ${checklistFields} }
  conflicts { row attribute mine theirs }
  notices
  errors { code field message }
` as const;

const payloadShape = v.object({
  checklist: v.nullable(checklistShape),
  conflicts: v.array(v.object({ row: v.string(), attribute: v.string(), mine: v.string(), theirs: v.string() })),
  notices: v.array(v.string()),
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
});

/** What every mutation of a checklist answers. */
export type ChecklistPayload = v.InferOutput<typeof payloadShape>;

export const updateChecklistFromText = operation(
  graphql(`mutation updateChecklistFromText($input: UpdateChecklistFromTextInput!) {
    updateChecklistFromText(input: $input) { ${payloadFields} }
  }`),
  v.object({ updateChecklistFromText: payloadShape }),
);

export const addChecklistItemsFromText = operation(
  graphql(`mutation addChecklistItemsFromText($input: AddChecklistItemsFromTextInput!) {
    addChecklistItemsFromText(input: $input) { ${payloadFields} }
  }`),
  v.object({ addChecklistItemsFromText: payloadShape }),
);

export const setItemStatus = operation(
  graphql(`mutation setItemStatus($input: SetItemStatusInput!) {
    setItemStatus(input: $input) { ${payloadFields} }
  }`),
  v.object({ setItemStatus: payloadShape }),
);

export const updateChecklistItem = operation(
  graphql(`mutation updateChecklistItem($input: UpdateChecklistItemInput!) {
    updateChecklistItem(input: $input) { ${payloadFields} }
  }`),
  v.object({ updateChecklistItem: payloadShape }),
);

export const deleteChecklistItem = operation(
  graphql(`mutation deleteChecklistItem($input: DeleteChecklistItemInput!) {
    deleteChecklistItem(input: $input) { ${payloadFields} }
  }`),
  v.object({ deleteChecklistItem: payloadShape }),
);

export const changeChecklistItems = operation(
  graphql(`mutation changeChecklistItems($input: ChangeChecklistItemsInput!) {
    changeChecklistItems(input: $input) { ${payloadFields} }
  }`),
  v.object({ changeChecklistItems: payloadShape }),
);

export const moveChecklistItem = operation(
  graphql(`mutation moveChecklistItem($input: MoveChecklistItemInput!) {
    moveChecklistItem(input: $input) { ${payloadFields} }
  }`),
  v.object({ moveChecklistItem: payloadShape }),
);

export const clearChecklist = operation(
  graphql(`mutation clearChecklist($input: ClearChecklistInput!) {
    clearChecklist(input: $input) { ${payloadFields} }
  }`),
  v.object({ clearChecklist: payloadShape }),
);

export const applyTemplateToChecklist = operation(
  graphql(`mutation applyTemplateToChecklist($input: ApplyTemplateToChecklistInput!) {
    applyTemplateToChecklist(input: $input) { ${payloadFields} }
  }`),
  v.object({ applyTemplateToChecklist: payloadShape }),
);

export const applyDemoTemplateToChecklist = operation(
  graphql(`mutation applyDemoTemplateToChecklist($input: ApplyDemoTemplateToChecklistInput!) {
    applyDemoTemplateToChecklist(input: $input) { ${payloadFields} }
  }`),
  v.object({ applyDemoTemplateToChecklist: payloadShape }),
);

export const convertItemToIssue = operation(
  graphql(`mutation convertItemToIssue($input: ConvertItemToIssueInput!) {
    convertItemToIssue(input: $input) { ${payloadFields} }
  }`),
  v.object({ convertItemToIssue: payloadShape }),
);

export const restoreChecklistRevision = operation(
  graphql(`mutation restoreChecklistRevision($input: RestoreChecklistRevisionInput!) {
    restoreChecklistRevision(input: $input) { ${payloadFields} }
  }`),
  v.object({ restoreChecklistRevision: payloadShape }),
);
