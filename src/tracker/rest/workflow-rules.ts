import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { integerText, parseAs, readAs, readJson } from '../../domain/shape.ts';
import type { Context } from '../context.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { ExpressionRefused } from '../expressions/lex.ts';
import type { Value } from '../expressions/values.ts';
import { keyOf } from '../forge/platform.ts';
import { type Caller, callingApp, holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import type { Issue, WorkflowRule } from '../site/model.ts';
import { projectOf, statusOf } from '../site/site.ts';
import { forbidden, RestError } from './errors.ts';
import { propertiesOf } from './read-only-fields.ts';
import type { Transition } from './transitions.ts';

/*
 * Apps' rules on transitions. A validator that returns anything else than `true` refuses, with its text if it returned
 * one; a condition that does not return `true` hides the transition. Both also if the expression fails, and if the
 * app is not installed.
 */

/** A rule as the app declares it. */
interface Declared {
  expression: string;
  /** Words for the rule: a fixed description, or an expression over its configuration. */
  description?: string | { value: string } | undefined;
  configurationDescription?: { expression: string } | undefined;
  /** A text, or an expression that makes it. */
  error: { value: string } | { expression: string };
}

const FAILED = { value: 'The transition is not allowed.' };

/** The module of a rule, of an app that is installed. */
function declaredOf({ addons, forge }: Context, rule: WorkflowRule): Declared | undefined {
  const { kind, addonKey, moduleKey } = rule;
  const framework = isUnreplaced({ forge }, rule) ? 'forge' : rule.framework;
  const named = <T extends { key: string }>(modules: readonly T[]) => modules.find(({ key }) => key === moduleKey);
  if (framework === 'forge') {
    if (!forge?.app.installed() || keyOf(forge.platform) !== addonKey) return undefined;
    const { modules } = forge.platform.manifest;
    if (kind === 'condition') {
      const condition = named(modules['jira:workflowCondition']);
      return condition && { ...condition, error: FAILED };
    }
    const validator = named(modules['jira:workflowValidator']);
    const { errorMessage = FAILED.value } = validator ?? {};
    return (
      validator && { ...validator, error: typeof errorMessage === 'string' ? { value: errorMessage } : errorMessage }
    );
  }
  const { modules } =
    addons.find(addon => addon.installed()?.descriptor.key === addonKey)?.installed()?.descriptor ?? {};
  if (!modules) return undefined;
  if (kind === 'condition') {
    const condition = named(modules.jiraWorkflowConditions);
    return condition && { ...condition, error: FAILED };
  }
  const validator = named(modules.jiraWorkflowValidators);
  return validator && { ...validator, error: validator.errorMessage };
}

const savedShape = v.object({ expression: v.optional(v.string()) });

/** Evaluates an expression; `undefined` if it fails. */
function evaluatedWith(source: string, variables: Record<string, unknown>): Value | undefined {
  try {
    return evaluate(source, { variables, now: Date.now(), zone: 'Europe/Berlin' });
  } catch (error) {
    if (error instanceof ExpressionRefused) return undefined;
    throw error;
  }
}

/** The words of a rule in the list of rules: of its configuration, or else of its module. */
export function summaryOf(context: Context, rule: WorkflowRule): string {
  const declared = declaredOf(context, rule);
  const { description = '', configurationDescription } = declared ?? {};
  const config = readJson(rule.config);
  const words = configurationDescription && evaluatedWith(configurationDescription.expression, { config });
  if (typeof words === 'string' && words !== '') return words;
  return typeof description === 'string' ? description : description.value;
}

/** Evaluates an expression about a transition; `undefined` if it fails. */
function evaluated(
  { site }: Context,
  caller: Caller,
  issue: Issue,
  transition: Transition,
  { source, config }: { source: string; config: unknown },
): Value | undefined {
  const properties = propertiesOf(site, issue);
  const { id, key, summary } = issue;
  const status = (statusId: string) => ({ id: statusId, name: statusOf(statusId).name });
  const project = projectOf(site, issue);
  const variables = {
    issue: { id: Number(id), key, summary, status: status(issue.statusId), properties },
    project: { id: project.id, key: project.key, name: project.name },
    user: caller.kind === 'person' ? { accountId: caller.person.accountId } : null,
    transition: {
      id: transition.id,
      name: transition.name,
      from: status(issue.statusId),
      to: status(transition.statusId),
    },
    config,
  };
  return evaluatedWith(source, variables);
}

/** The rules of a transition. */
const rulesOf = ({ site }: Context, issue: Issue, { id }: Transition, kind: WorkflowRule['kind']): WorkflowRule[] =>
  site.rules
    .list()
    .map(({ value }) => value)
    .filter(rule => rule.projectId === issue.projectId && rule.transitionId === id && rule.kind === kind);

/** The configuration of a rule, and the expression that counts. */
function expressionOf({ forge }: Context, rule: WorkflowRule, declared: Declared): { source: string; config: unknown } {
  const config = readJson(rule.config);
  const saved = isUnreplaced({ forge }, rule) ? undefined : readAs(savedShape, config)?.expression;
  return { source: saved ?? declared.expression, config };
}

/** Whether the module of the Forge app evaluates a rule that was saved on Connect, by the module's own expression. */
const isUnreplaced = ({ forge }: Pick<Context, 'forge'>, { framework, addonKey }: WorkflowRule): boolean =>
  framework === 'connect' &&
  forge?.platform.settings.replacesRules === false &&
  forge.app.installed() !== undefined &&
  keyOf(forge.platform) === addonKey;

/** Whether all conditions of a transition hold. */
export const isOffered = (context: Context, caller: Caller, issue: Issue, transition: Transition): boolean =>
  rulesOf(context, issue, transition, 'condition').every(rule => {
    const declared = declaredOf(context, rule);
    return (
      declared !== undefined &&
      evaluated(context, caller, issue, transition, expressionOf(context, rule, declared)) === true
    );
  });

/** The messages of the validators that refuse a transition. */
export const refusalsOf = (context: Context, caller: Caller, issue: Issue, transition: Transition): string[] =>
  rulesOf(context, issue, transition, 'validator').flatMap(rule => {
    const declared = declaredOf(context, rule);
    if (!declared) return FAILED.value;
    const expression = expressionOf(context, rule, declared);
    const value = evaluated(context, caller, issue, transition, expression);
    if (value === true) return [];
    if (typeof value === 'string') return value;
    if ('value' in declared.error) return declared.error.value;
    const source = declared.error.expression;
    const message = evaluated(context, caller, issue, transition, { source, config: expression.config });
    return typeof message === 'string' ? message : FAILED.value;
  });

/** A rule of a project that the caller administers. */
export function administeredRule({ site }: Context, caller: Caller, id: string): WorkflowRule {
  const rule = site.rules.get(id);
  const project = rule && site.projects.get(rule.projectId);
  if (!rule || !project) throw new RestError(404, 'There is no such rule.');
  if (!holds(caller, 'ADMINISTER_PROJECTS', { project })) throw forbidden('You cannot administer this project.');
  return rule;
}

const configQuery = v.object({
  startAt: v.optional(v.pipe(integerText, v.minValue(0)), 0),
  maxResults: v.optional(v.pipe(integerText, v.minValue(1)), 10),
  types: v.picklist(['validator', 'condition']),
});

const schemeQuery = v.object({ projectId: v.string() });
const workflowName = (projectId: string) => `Workflow of project ${projectId}`;

/** The rules of the calling app, by workflow; this tracker has one workflow for each project. */
export function workflowRuleRoutes(app: FastifyInstance, { site }: Context): void {
  app.get('/workflow/rule/config', request => {
    requireScope(request.caller, 'READ', 'manage:jira-configuration');
    const calling = callingApp(request.caller);
    if (!calling) throw forbidden('Only Connect or Forge apps can use this operation.');
    const { startAt, maxResults, types } = parseAs(configQuery, request.query);
    const appRules = site.rules
      .list()
      .map(({ value }) => value)
      .filter(({ addonKey, kind }) => addonKey === calling.key && kind === types);
    const projects = [...new Set(appRules.map(({ projectId }) => projectId))];
    const values = projects.slice(startAt, startAt + maxResults).map(projectId => {
      const rules = appRules
        .filter(rule => rule.projectId === projectId)
        .map(({ id, moduleKey, config }) => ({
          id,
          key: moduleKey,
          configuration: { value: config, disabled: false },
        }));
      return {
        workflowId: { name: workflowName(projectId), draft: false },
        postFunctions: [],
        conditions: types === 'condition' ? rules : [],
        validators: types === 'validator' ? rules : [],
      };
    });
    return { startAt, maxResults, total: projects.length, isLast: startAt + maxResults >= projects.length, values };
  });

  app.get('/workflowscheme/project', request => {
    requireScope(request.caller, 'ADMIN', 'manage:jira-configuration');
    if (!callingApp(request.caller)) throw forbidden('You cannot administer this site.');
    const { projectId } = parseAs(schemeQuery, request.query);
    const workflowScheme = { defaultWorkflow: workflowName(projectId), issueTypeMappings: {} };
    return { values: site.projects.get(projectId) ? [{ projectIds: [projectId], workflowScheme }] : [] };
  });
}
