import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';

/** Kinds of issue events. */
export const kinds = ['created', 'updated', 'deleted', 'property'] as const;

/** A field that an update changed. */
export interface FieldChange {
  id: string;
  name: string;
  /** The new value, as in the changelog. */
  to: string | null;
}

export interface IssueEvent {
  kind: (typeof kinds)[number];
  /** Whether an event of a property says that it is a checklist's; the tracker may leave its key out. */
  isOfChecklist?: boolean | undefined;
  /** The issue may have moved, or been hidden from some users. */
  mayHide: boolean;
  /** Changed fields of an update; `undefined` if unknown. */
  changes?: readonly FieldChange[] | undefined;
  /** Whether the issue is done, by the category of its status, and since when the event knows; if the event says so. */
  state?: { done: boolean; at: Date } | undefined;
  /** Id of the project of a new or updated issue, if the event has it. */
  project?: string | undefined;
}

/** Ids of fields that may decide who sees an issue: permissions and security levels can refer to its users. */
const HIDING_FIELDS: readonly string[] = ['project', 'issuekey', 'security', 'assignee', 'reporter'];
/** Own members only: every object inherits `toString`. */
const item = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((values): FieldChange => {
    const stringOf = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
    const name = stringOf('field') ?? '';
    return { id: stringOf('fieldId') ?? name, name, to: stringOf('toString') ?? null };
  }),
);
const placed = v.object({ issue: v.object({ fields: v.object({ project: v.object({ id: v.string() }) }) }) });
const stated = v.object({
  issue: v.object({
    fields: v.object({
      status: v.object({ statusCategory: v.object({ key: v.string() }) }),
      updated: v.pipe(
        v.string(),
        // The tracker writes the zone without a colon.
        v.transform(time => new Date(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))),
        v.date(),
      ),
    }),
  }),
});
const update = v.object({ changelog: v.optional(v.object({ items: v.array(item) })) });

/** Changed fields of an update: none for a comment, `undefined` for a malformed body. */
function changesIn(body: unknown): readonly FieldChange[] | undefined {
  const parsed = readAs(update, body);
  return parsed && (parsed.changelog?.items ?? []);
}

const hides = (changes: readonly FieldChange[] | undefined): boolean =>
  changes === undefined || changes.some(({ id }) => HIDING_FIELDS.includes(id.toLowerCase()));

/** Parses the body of a webhook or event of this kind. */
export function issueEventOf(kind: IssueEvent['kind'], body: unknown): IssueEvent {
  const changes = kind === 'updated' ? changesIn(body) : undefined;
  const isPlaced = kind === 'created' || kind === 'updated';
  const project = isPlaced ? readAs(placed, body)?.issue.fields.project.id : undefined;
  const fields = kind === 'updated' ? readAs(stated, body)?.issue.fields : undefined;
  const state = fields && { done: fields.status.statusCategory.key === 'done', at: fields.updated };
  return { kind, mayHide: kind === 'deleted' || (kind === 'updated' && hides(changes)), changes, state, project };
}
