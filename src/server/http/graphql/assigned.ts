import * as v from 'valibot';
import { MAX_SEARCH_CHARS } from '../../../domain/constants.ts';
import type { IssueLine } from '../../../domain/issue.ts';
import { failures } from '../../../domain/messages.ts';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import { parseAs } from '../../../domain/shape.ts';
import { isoDay } from '../../checklists/assigned/cursor.ts';
import type {
  AssignedCounts,
  AssignedFilter,
  AssignedIssue,
  AssignedItem,
  AssignedPage,
  AssignedWho,
  Counted,
} from '../../checklists/assigned/types.ts';
import { Refused } from '../../errors/refused.ts';
import { builder } from './builder.ts';
import { Color } from './statuses.ts';

const StatusRef = builder.objectRef<AssignedItem['status'] & { count?: number }>('AssignedStatus').implement({
  description: "A status in the item's project.",
  fields: t => ({
    slug: t.exposeID('slug'),
    name: t.exposeString('name'),
    color: t.expose('color', { type: Color }),
    checked: t.exposeBoolean('checked'),
    count: t.int({
      nullable: true,
      description: 'Number of items with it, in counts.',
      resolve: ({ count }) => count ?? null,
    }),
  }),
});

const ItemType = builder.objectRef<AssignedItem>('AssignedItem').implement({
  description: 'An assigned item.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Stable while its row is known.' }),
    issueId: t.id({ resolve: ({ issue }) => issue }),
    index: t.int({ description: 'Index of its row.', resolve: ({ position }) => position }),
    section: t.exposeString('section', { nullable: true, description: 'Text of the header above it.' }),
    text: t.exposeString('text'),
    status: t.expose('status', { type: StatusRef }),
    mandatory: t.exposeBoolean('mandatory'),
    dueDate: t.string({ nullable: true, description: 'ISO day.', resolve: ({ due }) => due }),
  }),
});

export const MayType = builder.objectRef<PermissionFlags>('IssuePermissions').implement({
  description: "The caller's permissions on the checklist of an issue.",
  fields: t => ({
    canAddChecklistItems: t.exposeBoolean('canAddChecklistItems'),
    canChangeItemStatuses: t.exposeBoolean('canChangeItemStatuses'),
    canDeleteChecklistItems: t.exposeBoolean('canDeleteChecklistItems'),
    canEditChecklist: t.exposeBoolean('canEditChecklist'),
    canImportTemplate: t.exposeBoolean('canImportTemplate'),
  }),
});

/** The fields of an issue that only the tracker knows. */
const lineFields: Record<string, { description: string; of(line: IssueLine): string }> = {
  key: { description: 'Its key.', of: ({ key }) => key },
  summary: { description: 'Its summary.', of: ({ summary }) => summary },
  status: { description: "Its status's name.", of: ({ status }) => status.name },
  statusColor: { description: 'The tracker’s name of the color.', of: ({ status }) => status.color },
  type: { description: "Its type's name.", of: ({ type }) => type.name },
  typeIcon: { description: 'The address of its type’s icon.', of: ({ type }) => type.icon },
  projectName: { description: "Its project's name.", of: ({ project }) => project.name },
};

const IssueType = builder.objectRef<AssignedIssue>('AssignedIssue').implement({
  description: 'An issue with assigned items.',
  fields: t => ({
    id: t.exposeID('id'),
    projectId: t.id({ nullable: true, resolve: ({ project }) => project }),
    ...Object.fromEntries(
      Object.entries(lineFields).map(([name, { description, of }]) => [
        name,
        t.string({
          nullable: true,
          description: `${description} Read from the tracker, which costs points; null where the issue was deleted.`,
          resolve: async ({ line }) => {
            const issueLine = await line();
            return issueLine ? of(issueLine) : null;
          },
        }),
      ]),
    ),
    permissions: t.field({ type: MayType, resolve: ({ may }) => may }),
    count: t.exposeInt('count', { description: 'Number of its items that match the filter.' }),
  }),
});

const PageType = builder.objectRef<AssignedPage>('AssignedPage').implement({
  fields: t => ({
    items: t.expose('items', { type: [ItemType] }),
    issues: t.expose('issues', { type: [IssueType], description: 'Issues of the items, each once.' }),
    next: t.string({
      nullable: true,
      description: 'Cursor of the next page; null after the last. An empty page may have one.',
      resolve: ({ next }) => next ?? null,
    }),
  }),
});

const CountedType = builder.objectRef<Counted>('CountedProject').implement({
  fields: t => ({
    id: t.exposeID('id'),
    name: t.string({
      nullable: true,
      description: 'Read from the tracker, which costs points.',
      resolve: async ({ name }) => (await name()) ?? null,
    }),
    count: t.exposeInt('count'),
  }),
});

const DueType = builder.objectRef<AssignedCounts['due']>('DueCounts').implement({
  fields: t => ({
    past: t.exposeInt('past'),
    today: t.exposeInt('today'),
    week: t.exposeInt('week', { description: 'The six days after today.' }),
    later: t.exposeInt('later'),
    none: t.exposeInt('none'),
  }),
});

const CountsType = builder.objectRef<AssignedCounts>('AssignedCounts').implement({
  description: 'Numbers of matching items. Projects, statuses and overdue are counted without their own filter.',
  fields: t => ({
    partial: t.exposeBoolean('partial', { description: 'There are more issues than were counted: the newest.' }),
    all: t.exposeInt('all'),
    overdue: t.exposeInt('overdue'),
    due: t.expose('due', { type: DueType }),
    projects: t.expose('projects', { type: [CountedType] }),
    statuses: t.expose('statuses', { type: [StatusRef] }),
  }),
});

const AssignedOrder = builder.enumType('AssignedOrder', {
  description: 'By issue, the newest first; or by due date, the earliest first.',
  values: { ISSUE: { value: 'issue' }, DUE: { value: 'due' } } as const,
});

const Who = builder.enumType('AssignedWho', {
  description: 'Whose items.',
  values: {
    ME: { value: 'me', description: 'Items assigned to the caller.' },
    BY_ME: { value: 'byMe', description: 'Items that the caller assigned to others.' },
    MY_PROJECTS: { value: 'myProjects', description: 'Everyone’s items in projects where the caller has some.' },
    PROJECT: { value: 'project', description: 'Everyone’s items in the project `id`.' },
    PERSON: { value: 'person', description: 'Items assigned to the account `id`.' },
  } as const,
});

const WhoInput = builder.inputType('AssignedWhoInput', {
  fields: t => ({ kind: t.field({ type: Who }), id: t.id({ required: false }) }),
});

const FilterInput = builder.inputType('AssignedFilterInput', {
  description: 'Absent values do not filter.',
  fields: t => ({
    checked: t.boolean({ required: false, description: 'Items that count as complete, or those that do not.' }),
    status: t.string({ required: false, description: "A status's slug." }),
    projectId: t.id({ required: false }),
    overdue: t.boolean({ required: false, description: 'Open items after their due date.' }),
    text: t.string({
      required: false,
      description: `Part of the item's text, or of its issue's key and summary; at most ${MAX_SEARCH_CHARS} characters.`,
    }),
  }),
});

const filterShape = v.object({
  checked: v.nullish(v.boolean()),
  status: v.nullish(v.pipe(v.string(), v.maxLength(100))),
  projectId: v.nullish(v.pipe(v.string(), v.maxLength(100))),
  overdue: v.nullish(v.boolean()),
  // The database stores no NUL.
  text: v.nullish(v.pipe(v.string(), v.maxLength(MAX_SEARCH_CHARS), v.regex(/^[^\0]*$/))),
});

/** Throws `Refused` for values that the app's screens never send. */
function readFilter(sent: unknown): AssignedFilter {
  const refusal = () => new Refused('UNKNOWN', failures.unknown, 'filter');
  const { checked, status, projectId, overdue, text } = parseAs(filterShape, sent ?? {}, refusal);
  return {
    checked: checked ?? undefined,
    status: status ?? undefined,
    project: projectId ?? undefined,
    overdue: overdue ?? undefined,
    text: text?.trim() || undefined,
  };
}

const whoShape = v.variant('kind', [
  v.object({ kind: v.picklist(['me', 'byMe', 'myProjects']) }),
  v.object({ kind: v.picklist(['project', 'person']), id: v.pipe(v.string(), v.regex(/^[^\0]{1,200}$/)) }),
]);

/** Throws `Refused` for a project or person without an id. */
const readWho = (sent: unknown): AssignedWho =>
  parseAs(whoShape, sent ?? { kind: 'me' }, () => new Refused('UNKNOWN', failures.unknown, 'who'));

const readDay = (sent: string): string =>
  parseAs(isoDay, sent, () => new Refused('UNKNOWN', failures.unknown, 'today'));

builder.queryFields(t => ({
  assignedItems: t.field({
    type: PageType,
    description: 'Assigned items, across the issues that the caller can view.',
    args: {
      who: t.arg({ type: WhoInput, required: false, description: 'Default: assigned to the caller.' }),
      today: t.arg.string({ description: "ISO day in the caller's time zone." }),
      order: t.arg({ type: AssignedOrder, required: false, description: 'Default: by issue.' }),
      filter: t.arg({ type: FilterInput, required: false }),
      after: t.arg.string({ required: false, description: 'Cursor: `next` of the previous page.' }),
      first: t.arg.int({ required: false, description: 'Page size, 1 to 100; default 50.' }),
    },
    resolve: async (_root, { who, today, order, filter, after, first }, { checklists }) =>
      checklists.assigned({
        who: readWho(who),
        today: readDay(today),
        order: order ?? 'issue',
        filter: readFilter(filter),
        after: after ?? undefined,
        first: first ?? 50,
      }),
  }),
  assignedCounts: t.field({
    type: CountsType,
    description: 'Numbers of such items.',
    args: {
      who: t.arg({ type: WhoInput, required: false }),
      today: t.arg.string(),
      filter: t.arg({ type: FilterInput, required: false }),
    },
    resolve: async (_root, { who, today, filter }, { checklists }) =>
      checklists.assignedCounts({ who: readWho(who), today: readDay(today), filter: readFilter(filter) }),
  }),
}));
