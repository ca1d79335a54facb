import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { operations } from '../../domain/api/operations.ts';
import {
  changeAnswer,
  changeRequest,
  issueRef,
  revisionId,
  revisionsQuery,
  searchQuery,
  templatesQuery,
} from '../../domain/api/schemas.ts';
import { parseAs } from '../../domain/shape.ts';
import { convertWhole } from '../../text/convert/whole-text.ts';
import { notations } from '../../text/convert.ts';
import { exportChecklist, exportLosses, exportNotations } from '../../text/export.ts';
import { readChecklist } from '../../text/read.ts';
import type { Api } from './api.ts';

/** A tool got invalid input, or was called in the wrong order. The message is for the tool's caller. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

/** A tool of the MCP server. */
export interface Tool {
  title: string;
  description: string;
  input: v.GenericSchema;
  /** The schema of its answer. */
  output: v.GenericSchema;
  /** Whether it changes nothing. */
  isReadOnly: boolean;
  run(input: unknown): Promise<unknown>;
}

/** Defines a tool whose input is parsed by its schema. */
const tool = <Input extends v.GenericSchema>(
  about: Omit<Tool, 'input' | 'run'> & { input: Input },
  work: (input: v.InferOutput<Input>) => Promise<unknown> | unknown,
): Tool => ({
  ...about,
  run: async input => work(parseAs(about.input, input, problem => new ToolRefusal(problem))),
});

const PROOF_CHARS = 32;

const LANGUAGE =
  'A checklist is plain text: "# header", "- to do", "~ in progress", "+ done", "x skipped", "> detail" below a row, "!" after the sign for mandatory items, [~accountid:ID] for people, ISO days for due dates.';

const losses = v.array(v.object({ line: v.number(), what: v.string(), text: v.string() }));

const changeInput = v.strictObject({
  issue: issueRef,
  revision: v.pipe(revisionId, v.description('The revision that the change is made on, as read_checklist answered it')),
  change: changeRequest.entries.change,
  confirm: v.exactOptional(
    v.pipe(v.string(), v.description('What the dry run of this change answered. Without it, the call is a dry run')),
  ),
  diagnostics: changeRequest.entries.diagnostics,
});

const changeOutput = v.object({
  ...changeAnswer.entries,
  confirm: v.pipe(v.nullable(v.string()), v.description('After a dry run: send it back to make the change')),
});

/** The tools, by name, on an API. `secret` proves that a dry run was made, also to another process. */
export function createTools(api: Api, secret: string): Readonly<Record<string, Tool>> {
  const proofOf = (change: unknown) =>
    createHmac('sha256', secret).update(JSON.stringify(change)).digest('hex').slice(0, PROOF_CHARS);

  return {
    read_checklist: tool(
      {
        title: 'Read a checklist',
        description: `Reads the checklist of an issue: rows with their index, text, status and people, the whole text, and the revision that a change is made on. ${LANGUAGE}`,
        input: v.strictObject({ issue: issueRef }),
        output: operations.readChecklist.answer,
        isReadOnly: true,
      },
      ({ issue }) => api('readChecklist', { params: { issue } }),
    ),
    list_checklist_revisions: tool(
      {
        title: 'List revisions of a checklist',
        description: 'Lists who changed the checklist of an issue and when, newest first, by page.',
        input: v.strictObject({ issue: issueRef, ...revisionsQuery.entries }),
        output: operations.listRevisions.answer,
        isReadOnly: true,
      },
      ({ issue, ...query }) => api('listRevisions', { params: { issue }, query }),
    ),
    change_checklist: tool(
      {
        title: 'Change a checklist',
        description: `Makes one change of the checklist of an issue, in two calls. The first one is a dry run: it answers the text that the change would give, diagnostics, and "confirm". The second one repeats the same input with that confirm, and makes the change. A row is named by its index and text, as read_checklist answered them. ${LANGUAGE}`,
        input: changeInput,
        output: changeOutput,
        isReadOnly: false,
      },
      async ({ issue, revision, confirm, ...request }) => {
        const proof = proofOf([issue, revision, request]);
        const dryRun = confirm === undefined;
        if (!dryRun && confirm !== proof) {
          throw new ToolRefusal('This confirm is not of the same change on the same revision. Leave it out first.');
        }
        const answer = await api('changeChecklist', {
          params: { issue },
          // A repeated call is the same change again.
          headers: { 'if-match': `"${revision}"`, ...(!dryRun && { 'idempotency-key': proof }) },
          body: { ...request, dryRun },
        });
        return { ...answer, confirm: dryRun ? proof : null };
      },
    ),
    search_checklists: tool(
      {
        title: 'Search checklists',
        description:
          'Finds issues by their checklists: by project, open items, the person that items are assigned to, and the day until which open items are due. Newest issues first, by page.',
        input: searchQuery,
        output: operations.searchChecklists.answer,
        isReadOnly: true,
      },
      query => api('searchChecklists', { query }),
    ),
    list_checklist_templates: tool(
      {
        title: 'List templates',
        description:
          'Lists the templates of the site and of one project with their texts. change_checklist adds one by its id with the change applyTemplateToChecklist.',
        input: templatesQuery,
        output: operations.listTemplates.answer,
        isReadOnly: true,
      },
      query => api('listTemplates', { query }),
    ),
    convert_to_checklist: tool(
      {
        title: 'Convert text to a checklist',
        description: `Turns text in another notation, such as a GitHub task list, CSV or HTML, into checklist text, and says what was left out. Changes nothing. ${LANGUAGE}`,
        input: v.strictObject({
          text: v.string(),
          from: v.exactOptional(v.pipe(v.picklist(['auto', ...notations]), v.description('auto by default'))),
        }),
        output: v.object({ text: v.string(), notation: v.picklist(notations), lost: losses }),
        isReadOnly: true,
      },
      ({ text, from = 'auto' }) => {
        const converted = convertWhole(text, from);
        if ('refusal' in converted) throw new ToolRefusal(converted.refusal);
        return converted;
      },
    ),
    export_checklist: tool(
      {
        title: 'Write checklist text in another notation',
        description: 'Turns checklist text into another notation, and says what was left out. Changes nothing.',
        input: v.strictObject({ text: v.string(), to: v.picklist(exportNotations) }),
        output: v.object({ text: v.string(), lost: losses }),
        isReadOnly: true,
      },
      ({ text, to }) => {
        const checklist = readChecklist(text);
        return { text: exportChecklist(checklist, to), lost: exportLosses(checklist, to) };
      },
    ),
  };
}
