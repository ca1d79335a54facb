import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';

/** What a dashboard's gadget shows. */
export const gadgetGroups = ['issue', 'person', 'overdue'] as const;
export type GadgetGroup = (typeof gadgetGroups)[number];

const gadgetConfig = v.object({
  v: v.literal(1),
  /** A project of the tracker; all of them without one. */
  project: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** A further condition in the tracker's query language. */
  jql: v.pipe(
    v.string(),
    v.maxLength(2000),
    v.transform(jql => jql.trim()),
  ),
  group: v.picklist(gadgetGroups),
});
export type GadgetConfig = v.InferOutput<typeof gadgetConfig>;

export const newGadget: GadgetConfig = { v: 1, project: null, jql: '', group: 'issue' };

export const readGadget = (config: unknown): GadgetConfig | undefined => readAs(gadgetConfig, config);

/** The query for the issues of a gadget. An `or` in the condition stays within it. */
export function gadgetQuery({ project, jql }: GadgetConfig): string {
  const condition = /\bor\b/i.test(jql) ? `(${jql})` : jql;
  const clauses = [project && `project = ${project.id}`, condition, 'checklistItems > 0'];
  return `${clauses.filter(Boolean).join(' AND ')} ORDER BY created DESC`;
}
