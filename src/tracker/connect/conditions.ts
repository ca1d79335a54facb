import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { readAs } from '../../domain/shape.ts';
import { type Caller, holds, type Where } from '../permissions.ts';
import type { Site } from '../site/site.ts';
import type { Condition, SingleCondition } from './descriptor.ts';

/** The user and subject for which a module's conditions are evaluated. */
export interface ConditionContext extends Where {
  site: Site;
  caller: Caller;
  addonKey: string;
}

const evaluators: Record<string, (context: ConditionContext, params: unknown) => boolean> = {
  user_is_logged_in: ({ caller }) => caller.kind === 'person',
  user_is_admin: ({ caller }) => holds(caller, 'ADMINISTER'),
  user_is_project_admin: ({ caller, project, issue }) => holds(caller, 'ADMINISTER_PROJECTS', { project, issue }),
  entity_property_equal_to: propertyEquals,
};

export const isEvaluated = (name: string): boolean => Object.hasOwn(evaluators, name);

/** Whether all of them hold. */
export const areAllMet = (conditions: readonly Condition[], context: ConditionContext): boolean =>
  conditions.every(condition => isMet(condition, context));

function isMet(condition: Condition, context: ConditionContext): boolean {
  if ('or' in condition) return condition.or.some(entry => isMet(entry, context));
  if ('and' in condition) return areAllMet(condition.and, context);
  return evaluate(condition, context) !== (condition.invert ?? false);
}

const evaluate = ({ condition, params }: SingleCondition, context: ConditionContext): boolean =>
  evaluators[condition]?.(context, params) ?? false;

const propertyParams = v.object({
  entity: v.picklist(['issue', 'project', 'user', 'addon']),
  propertyKey: v.string(),
  objectName: v.optional(v.string()),
  value: v.string(),
});

/** Compares a property, or what stands at `objectName` in it, with `value`, which is JSON in a string. */
function propertyEquals({ site, caller, project, issue, addonKey }: ConditionContext, params: unknown): boolean {
  const data = readAs(propertyParams, params);
  if (!data) return false;
  const owners = {
    issue: issue?.id,
    project: project?.id,
    user: caller.kind === 'person' ? caller.person.accountId : undefined,
    addon: addonKey,
  };
  let propertyValue = site.properties.get(`${data.entity}/${owners[data.entity]}/${data.propertyKey}`);
  for (const step of data.objectName?.split('.') ?? []) {
    propertyValue =
      typeof propertyValue === 'object' && propertyValue !== null ? Reflect.get(propertyValue, step) : undefined;
  }
  try {
    return propertyValue !== undefined && isDeepStrictEqual(propertyValue, JSON.parse(data.value));
  } catch {
    return false;
  }
}
