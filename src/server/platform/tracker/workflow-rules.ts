import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { type RuleKind, type RuleOptions, readRule } from '../../../domain/workflow/options.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

const ruleShape = v.object({
  configuration: v.object({ value: v.unknown(), disabled: v.optional(v.boolean(), false) }),
});
const rules = v.optional(v.array(ruleShape), []);
const pageShape = v.object({
  values: v.array(
    v.object({
      workflowId: v.object({ name: v.string(), draft: v.optional(v.boolean(), false) }),
      validators: rules,
      conditions: rules,
    }),
  ),
  isLast: v.optional(v.boolean(), true),
});

/** The tracker's largest page, in workflows. */
const WORKFLOWS_PER_PAGE = 50;
/** Workflows beyond these pages are not looked at. */
const MAX_PAGES = 4;

/** The options of a workflow rule. */
export interface WorkflowRule {
  /** Name of the rule's workflow, which is unique on a site. */
  workflow: string;
  options: RuleOptions;
}

/** The app's enabled workflow rules of a kind, in all published workflows of a site. Unreadable ones are left out. */
export async function readWorkflowRules(tracker: Tracker, kind: RuleKind): Promise<WorkflowRule[]> {
  const foundRules: WorkflowRule[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await tracker({
      name: 'readWorkflowRules',
      method: 'GET',
      path: '/rest/api/3/workflow/rule/config',
      query: { startAt: String(page * WORKFLOWS_PER_PAGE), maxResults: String(WORKFLOWS_PER_PAGE), types: kind },
    });
    if (answer.status !== 200) throw new TrackerRefused('readWorkflowRules', answer);
    const { values, isLast } = parseAs(pageShape, answer.body);
    for (const { workflowId, validators, conditions } of values) {
      if (workflowId.draft) continue;
      for (const { configuration } of [...validators, ...conditions]) {
        const options = configuration.disabled ? undefined : readRule(configuration.value);
        if (options) foundRules.push({ workflow: workflowId.name, options });
      }
    }
    if (isLast || values.length === 0) break;
  }
  return foundRules;
}

const schemeShape = v.object({
  defaultWorkflow: v.string(),
  issueTypeMappings: v.optional(v.record(v.string(), v.string()), {}),
});
const schemesShape = v.object({ values: v.array(v.object({ workflowScheme: schemeShape })) });

/** Names of workflows: of the default workflow, and of issue types by id. */
export type WorkflowScheme = v.InferOutput<typeof schemeShape>;

/** The workflow scheme of a project; `undefined` if the tracker names none, as of team-managed projects. */
export async function readWorkflowScheme(tracker: Tracker, projectId: string): Promise<WorkflowScheme | undefined> {
  const path = '/rest/api/3/workflowscheme/project';
  const answer = await tracker({ name: 'readWorkflowScheme', method: 'GET', path, query: { projectId } });
  if (answer.status !== 200) throw new TrackerRefused('readWorkflowScheme', answer);
  return parseAs(schemesShape, answer.body).values[0]?.workflowScheme;
}
