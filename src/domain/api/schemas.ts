import * as v from 'valibot';
import { changeSchema } from '../change.ts';
import { statusColors } from '../colors.ts';
import { position, revision } from './revision.ts';

/*
 * Requests and answers of the REST API: one schema each, by which the server parses, the OpenAPI document describes, and
 * the MCP server reads. Requests are strict: an unknown member would be ignored in silence.
 */

const described = <Schema extends v.GenericSchema>(schema: Schema, text: string) => v.pipe(schema, v.description(text));

const day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.description('ISO day, such as 2026-11-30'));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const projectId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.description('Id of a project'));

/** The id or key of an issue. */
export const issueRef = v.pipe(
  v.string(),
  v.regex(/^(?:[1-9]\d{0,14}|[A-Za-z][A-Za-z0-9_]{0,254}-[1-9]\d{0,14})$/),
  v.description('Id or key of an issue, such as 10001 or WEB-1'),
);

export const revisionId = v.pipe(
  v.string(),
  v.regex(revision),
  v.description('A revision of a checklist, as an answer named it. In quotes it is what `If-Match` takes'),
);

/** The default and the largest page of a list. */
export const PAGE_SIZES = { usual: 50, most: 100 } as const;
const first = v.exactOptional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(PAGE_SIZES.most),
    v.description(`Most entries, ${PAGE_SIZES.usual} by default`),
  ),
);
const next = described(v.nullable(v.string()), '`after` of the next page; null on the last one');

const issue = v.object({
  id: v.string(),
  key: described(v.nullable(v.string()), 'null while the app does not know it'),
  projectId: v.nullable(v.string()),
});

const progress = v.object({ total: count, checked: count, percent: count, mandatoryOpen: count });

const status = v.object({ slug: v.string(), name: v.string(), checked: v.boolean(), color: v.picklist(statusColors) });

const rowEntries = {
  index: described(count, 'Index in the checklist; with `text`, the target of a change'),
  id: described(v.nullable(v.string()), 'Stays with the row, however it is moved or reworded'),
  text: described(v.string(), 'The line without mark, status and `!`'),
  words: described(v.string(), 'The text without the assignee and due date at its end'),
  details: described(v.array(v.string()), 'Detail lines without their marks'),
  mentions: described(v.array(v.string()), 'Account ids'),
  issueKeys: v.array(v.string()),
};
const headerRow = v.object({ kind: v.literal('header'), level: v.picklist([1, 2, 3, 4, 5, 6]), ...rowEntries });
const itemRow = v.object({
  kind: v.literal('checkbox'),
  ...rowEntries,
  status: described(v.string(), 'Slug of a status'),
  checked: described(v.boolean(), 'Whether the status completes the item'),
  mandatory: v.boolean(),
  assignee: described(v.nullable(v.string()), 'Account id'),
  dueDate: v.nullable(day),
});
export const row = v.variant('kind', [headerRow, itemRow]);
export type ApiRow = v.InferOutput<typeof row>;

const checklistEntries = {
  issue,
  revision: revisionId,
  name: v.string(),
  text: v.string(),
  rows: v.array(row),
  progress,
};

/** A checklist as rows and as text. */
export const checklist = v.object({
  ...checklistEntries,
  statuses: described(v.array(status), 'The statuses that its items can have'),
  notices: described(v.array(v.string()), 'What keeps the copies in Jira from being written, for users'),
});
export type ApiChecklist = v.InferOutput<typeof checklist>;

/** Something in a text that was probably not meant so. */
export const diagnostic = v.object({
  code: v.string(),
  message: v.string(),
  row: described(v.nullable(count), 'Index of the row'),
  text: described(v.nullable(v.string()), 'Text of the row'),
  line: described(count, 'From 1'),
  column: described(count, 'From 1, in UTF-16 units'),
});
export type ApiDiagnostic = v.InferOutput<typeof diagnostic>;

/** A change of one checklist. The vocabulary is that of all other ways to change one. */
export const changeRequest = v.strictObject({
  change: changeSchema,
  base: v.exactOptional(
    described(
      v.strictObject({
        revision: revisionId,
        text: v.exactOptional(described(v.string(), 'Its text, after BASE_UNKNOWN')),
      }),
      'What the change was made on: it is merged with later changes. Without it, `If-Match` names the base',
    ),
  ),
  dryRun: v.exactOptional(described(v.boolean(), 'Answers what the change would give, and stores nothing')),
  diagnostics: v.exactOptional(
    described(
      v.picklist(['refuse', 'report']),
      'A change that brings diagnostics is refused, by default, or made and answered with them',
    ),
  ),
});
export type ChangeRequestBody = v.InferOutput<typeof changeRequest>;

const conflict = v.object({ row: v.string(), attribute: v.string(), mine: v.string(), theirs: v.string() });

export const changeAnswer = v.object({
  ...checklistEntries,
  dryRun: v.boolean(),
  conflicts: described(v.array(conflict), 'Values that a later change had also set: this change’s are kept'),
  diagnostics: described(v.array(diagnostic), 'What the change brings that was probably not meant so'),
  notices: v.array(v.string()),
  issueKey: described(v.nullable(v.string()), 'Key of the issue that an item was converted to'),
});
export type ApiChangeAnswer = v.InferOutput<typeof changeAnswer>;

const revisionEntries = {
  revision: revisionId,
  created: described(v.string(), 'ISO time'),
  author: described(v.string(), 'Account id; `api:` and the name of an API token, `rule:` and that of a template'),
  kind: described(v.string(), 'The change that made it, or the kind of a foreign change'),
  name: v.string(),
};

export const revisionsQuery = v.strictObject({
  first,
  after: v.exactOptional(described(v.pipe(v.string(), v.regex(position)), '`next` of the page before')),
});

export const revisions = v.object({
  revisions: described(
    v.array(
      v.object({
        ...revisionEntries,
        changes: described(v.nullable(count), 'Changed rows; null where the revision before is no longer stored'),
      }),
    ),
    'Newest first',
  ),
  next,
});
export const storedRevision = v.object({ ...revisionEntries, text: v.string() });

/** Filters of a search: all that are given have to fit. */
export const searchQuery = v.strictObject({
  project: v.exactOptional(described(v.pipe(v.string(), v.maxLength(255)), 'Id or key of a project')),
  open: v.exactOptional(described(v.boolean(), 'Checklists with open items, or without any')),
  assignee: v.exactOptional(
    described(v.pipe(v.string(), v.maxLength(128)), 'Account id: only items of this person count for the filters'),
  ),
  due: v.exactOptional(described(day, 'With an open item that is due on this day or before')),
  first,
  after: v.exactOptional(described(v.pipe(v.string(), v.regex(/^\d{1,15}$/)), '`next` of the page before')),
});
export type SearchQuery = v.InferOutput<typeof searchQuery>;

export const foundChecklists = v.object({
  checklists: v.array(
    v.object({
      issue,
      revision: revisionId,
      name: v.string(),
      progress,
      open: described(count, 'Items that are not complete'),
      due: described(v.nullable(day), 'The first day on which an open item is due'),
    }),
  ),
  next,
});
export type FoundChecklists = v.InferOutput<typeof foundChecklists>;

export const templatesQuery = v.strictObject({
  projectId: v.exactOptional(described(projectId, 'Its templates as well as those of the site')),
  first,
  after: v.exactOptional(described(v.pipe(v.string(), v.regex(/^\d{1,6}$/)), '`next` of the page before')),
});

export const templates = v.object({
  templates: v.array(
    v.object({
      id: described(v.string(), 'For `applyTemplateToChecklist`'),
      name: v.string(),
      projectId: described(v.nullable(v.string()), 'null for the whole site'),
      items: count,
      text: v.string(),
      updated: described(v.string(), 'ISO time'),
    }),
  ),
  next,
});

/** An error (RFC 9457). */
export const problem = v.object({
  type: described(v.string(), 'Names the problem: `urn:problem:smart-checklist:` and the code in lower case'),
  title: v.string(),
  status: v.number(),
  detail: described(v.string(), 'For people'),
  code: described(v.string(), 'For programs'),
  field: v.exactOptional(described(v.string(), 'The input that is wrong')),
  diagnostics: v.exactOptional(v.array(diagnostic)),
});
export type Problem = v.InferOutput<typeof problem>;
