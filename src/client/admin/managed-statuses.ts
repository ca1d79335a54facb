import * as v from 'valibot';
import { statusColors } from '../../domain/colors.ts';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';

const statusFields = 'slug name color checked projectId builtIn going' as const;

const statusShape = v.object({
  slug: v.string(),
  name: v.string(),
  color: v.picklist(statusColors),
  checked: v.boolean(),
  /** The status's project; `null` for the whole site. */
  projectId: v.nullable(v.string()),
  builtIn: v.boolean(),
  /** Its deletion is in progress. */
  going: v.boolean(),
});
export type ManagedStatus = v.InferOutput<typeof statusShape>;

const payloadShape = v.object({
  statuses: v.nullable(v.array(statusShape)),
  job: v.nullable(v.object({ id: v.string() })),
  ...answerShape,
});

/** The statuses of a project; without one, the site's. */
export const getStatuses = operation(
  graphql(`query getStatuses($projectId: ID) { statuses(projectId: $projectId) { ${statusFields} } }`),
  v.object({ statuses: v.array(statusShape) }),
);

/** The last status jobs of a project, or without one of the site. */
export const getStatusJobs = operation(
  graphql('query getStatusJobs($scope: JobScopeInput!) { jobs(scope: $scope) { id kind total seen ended } }'),
  v.object({
    jobs: v.array(
      v.object({
        id: v.string(),
        kind: v.string(),
        /** Estimated number of issues, where the tracker gives one. */
        total: v.nullable(v.number()),
        seen: v.number(),
        ended: v.nullable(v.string()),
      }),
    ),
  }),
);

export const getStatusUse = operation(
  graphql('query getStatusUse($slug: ID!) { statusUse(slug: $slug) { items issues templates } }'),
  v.object({ statusUse: v.object({ items: v.number(), issues: v.number(), templates: v.number() }) }),
);

export const createStatus = operation(
  graphql(`mutation createStatus($input: CreateStatusInput!) {
    createStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
  v.object({ createStatus: payloadShape }),
);

export const updateStatus = operation(
  graphql(`mutation updateStatus($input: UpdateStatusInput!) {
    updateStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
  v.object({ updateStatus: payloadShape }),
);

export const deleteStatus = operation(
  graphql(`mutation deleteStatus($input: DeleteStatusInput!) {
    deleteStatus(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
  v.object({ deleteStatus: payloadShape }),
);

export const reorderStatuses = operation(
  graphql(`mutation reorderStatuses($input: ReorderStatusesInput!) {
    reorderStatuses(input: $input) { statuses { ${statusFields} } job { id } ${answerFields} }
  }`),
  v.object({ reorderStatuses: payloadShape }),
);
