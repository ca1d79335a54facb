import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { operations } from '../../domain/api/operations.ts';
import {
  changeRequest,
  issueRef,
  revisionId,
  revisionsQuery,
  searchQuery,
  templatesQuery,
} from '../../domain/api/schemas.ts';
import { parseAs } from '../../domain/shape.ts';
import { convert, notations } from '../../text/convert.ts';
import { exportChecklist, exportLosses, exportNotations } from '../../text/export.ts';
import { readChecklist } from '../../text/read.ts';
import type { Api } from './api.ts';

/** What a tool gets that is not what it needs, or in the wrong order. The message is for its caller. */
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

const LANGUAGE =
  'A checklist is plain text: "# header", "- to do", "~ in progress", "+ done", "x skipped", "> detail" below a row, "!" after the sign for mandatory items, [~accountid:ID] for people, ISO days for due dates.';

const losses = v.array(v.object({ line: v.number(), what: v.string(), text: v.string() }));

const changeInput = v.strictObject({
  issue: issueRef,
  revision: v.pipe(revisionId, v.description('The revision that the change is made on, as read_checklist answered it')),
  change: changeRequest.entries.change,
  dryRun: v.exactOptional(
    v.pipe(v.boolean(), v.description('true, the default: say what it would give. false: make it, after a dry run')),
  ),
  diagnostics: changeRequest.entries.diagnostics,
});

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** The tools, by name, on an API. */
export function createTools(api: Api): Readonly<Record<string, Tool>> {
  /** Changes that a dry run has shown. */
  const shown = new Set<string>();

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
        description: `Makes one change of the checklist of an issue. Call it first as it is: a dry run answers the text that the change would give, and diagnostics. Then call it again with the same change and revision, and dryRun false. A row is named by its index and text, as read_checklist answered them. ${LANGUAGE}`,
        input: changeInput,
        output: operations.changeChecklist.answer,
        isReadOnly: false,
      },
      async ({ issue, revision, dryRun = true, ...request }) => {
        const { change, diagnostics = 'refuse' } = request;
        const proposed = hashOf([issue, revision, change]);
        if (!dryRun && !shown.has(proposed)) {
          throw new ToolRefusal('Make a dry run of the same change on the same revision first: leave out dryRun.');
        }
        const answer = await api('changeChecklist', {
          params: { issue },
          headers: {
            'if-match': `"${revision}"`,
            // A repeated call is the same change again; one that accepts diagnostics is another request.
            ...(!dryRun && { 'idempotency-key': hashOf([issue, revision, change, diagnostics]) }),
          },
          body: { ...request, dryRun },
        });
        if (dryRun) shown.add(proposed);
        return answer;
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
        description: `Turns text in another notation, such as a GitHub task list, CSV or HTML, into checklist text, and says what could not be kept. Changes nothing. ${LANGUAGE}`,
        input: v.strictObject({
          text: v.string(),
          from: v.exactOptional(v.pipe(v.picklist(['auto', ...notations]), v.description('auto by default'))),
        }),
        output: v.object({ text: v.string(), notation: v.picklist(notations), lost: losses }),
        isReadOnly: true,
      },
      ({ text, from = 'auto' }) => convert(text, from),
    ),
    export_checklist: tool(
      {
        title: 'Write checklist text in another notation',
        description: 'Turns checklist text into another notation, and says what could not be kept. Changes nothing.',
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
