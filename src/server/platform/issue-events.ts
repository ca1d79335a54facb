import * as z from 'zod';

/** What can happen to an issue that a tracker tells of. */
export const kinds = ['created', 'updated', 'deleted', 'property'] as const;

/** A field that an update changed. */
export interface FieldChange {
  id: string;
  name: string;
  /** The new value as the changelog writes it. */
  to: string | null;
}

export interface IssueEvent {
  kind: (typeof kinds)[number];
  /** It may have moved, or be hidden from some who saw it. */
  mayHide: boolean;
  /** What an update changed, where it says so. */
  changes?: readonly FieldChange[] | undefined;
  /** The id of the project that a new or changed issue is in, where the event says so. */
  project?: string | undefined;
}

/** Fields whose change may decide who sees an issue, by their ids: permissions and security levels can name its people. */
const HIDING: readonly string[] = ['project', 'issuekey', 'security', 'assignee', 'reporter'];
/** `toString` is a member that every object has: only own ones count. */
const item = z.record(z.string(), z.unknown()).transform((values): FieldChange => {
  const own = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const name = own('field') ?? '';
  return { id: own('fieldId') ?? name, name, to: own('toString') ?? null };
});
const placed = z.object({ issue: z.object({ fields: z.object({ project: z.object({ id: z.string() }) }) }) });
const update = z.object({ changelog: z.object({ items: z.array(item) }).optional() });

/** What an update changed; nothing where it is a comment, `undefined` where that cannot be told. */
function changesIn(body: unknown): readonly FieldChange[] | undefined {
  const told = update.safeParse(body);
  return told.success ? (told.data.changelog?.items ?? []) : undefined;
}

const hides = (changes: readonly FieldChange[] | undefined): boolean =>
  changes === undefined || changes.some(({ id }) => HIDING.includes(id.toLowerCase()));

/** What a webhook or event of that kind tells in its body. */
export function issueEventOf(kind: IssueEvent['kind'], body: unknown): IssueEvent {
  const changes = kind === 'updated' ? changesIn(body) : undefined;
  const isPlaced = kind === 'created' || kind === 'updated';
  const project = isPlaced ? placed.safeParse(body).data?.issue.fields.project.id : undefined;
  return { kind, mayHide: kind === 'deleted' || (kind === 'updated' && hides(changes)), changes, project };
}
