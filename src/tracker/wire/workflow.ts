import * as v from 'valibot';
import { frameworkShape, ruleKind } from './modules.ts';

/*
 * The API of the page: apps' rules on the transitions of a project.
 */

export const RULE_CONFIG_MAX_CHARS = 32_768;

/** The app's configuration of a rule, as text. */
const config = v.pipe(v.string(), v.maxLength(RULE_CONFIG_MAX_CHARS));
/** A rule of an app on a transition. */
const rule = v.object({
  id: v.string(),
  transitionId: v.string(),
  kind: ruleKind,
  framework: frameworkShape,
  addonKey: v.string(),
  moduleKey: v.string(),
  config,
});
const listedRule = v.object({
  ...rule.entries,
  /** The rule in words. */
  summary: v.string(),
});
export type HostRule = v.InferOutput<typeof listedRule>;
export const newRule = v.omit(rule, ['id']);
export type NewRule = v.InferOutput<typeof newRule>;
export const ruleEdit = v.pick(rule, ['config']);

/**
 * GET /host/projects/{key}/workflow, project administrators. POST /host/projects/{key}/rules {…} adds a rule, PUT
 * …/rules/{id} {config} changes its configuration, DELETE removes it.
 */
export const workflowShape = v.object({
  /** Each leads to the status of its name, from all others. */
  transitions: v.array(v.object({ id: v.string(), name: v.string() })),
  rules: v.array(listedRule),
});
export type HostWorkflow = v.InferOutput<typeof workflowShape>;
