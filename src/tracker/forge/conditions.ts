import * as v from 'valibot';
import { type Caller, holds, type Where } from '../permissions.ts';
import type { Site } from '../site/site.ts';

/** When a module is shown (Forge, "Display conditions"). Several names in one object must all hold. */
export interface DisplayConditions {
  isLoggedIn?: boolean | undefined;
  isAdmin?: boolean | undefined;
  /** Name of a permission of projects. */
  hasProjectPermission?: string | undefined;
  entityPropertyEqualTo?: PropertyCondition | undefined;
  not?: DisplayConditions | undefined;
  and?: DisplayConditions | undefined;
  or?: DisplayConditions | undefined;
}

interface PropertyCondition {
  entity: 'issue' | 'project' | 'user' | 'app';
  propertyKey: string;
  /** Compared as text. */
  value: string;
}

/** Strict: a name that the tracker cannot evaluate is refused with the manifest. */
export const conditionsShape: v.GenericSchema<unknown, DisplayConditions> = v.lazy(() =>
  v.strictObject({
    isLoggedIn: v.optional(v.boolean()),
    isAdmin: v.optional(v.boolean()),
    hasProjectPermission: v.optional(v.string()),
    entityPropertyEqualTo: v.optional(
      v.object({ entity: v.picklist(['issue', 'project', 'user', 'app']), propertyKey: v.string(), value: v.string() }),
    ),
    not: v.optional(conditionsShape),
    and: v.optional(conditionsShape),
    or: v.optional(conditionsShape),
  }),
);

/** The user and subject for which conditions are evaluated. */
export interface ConditionContext extends Where {
  site: Site;
  caller: Caller;
  appKey: string;
}

export const isShown = (conditions: DisplayConditions, context: ConditionContext): boolean =>
  outcomes(conditions, context).every(Boolean);

function outcomes(conditions: DisplayConditions, context: ConditionContext): boolean[] {
  const { isLoggedIn, isAdmin, hasProjectPermission, entityPropertyEqualTo, not, and, or } = conditions;
  const { caller, project, issue } = context;
  return [
    isLoggedIn === undefined ? [] : (caller.kind === 'person') === isLoggedIn,
    isAdmin === undefined ? [] : holds(caller, 'ADMINISTER') === isAdmin,
    hasProjectPermission === undefined ? [] : holds(caller, hasProjectPermission, { project, issue }),
    entityPropertyEqualTo ? isEqual(entityPropertyEqualTo, context) : [],
    not ? !isShown(not, context) : [],
    and ? isShown(and, context) : [],
    or ? outcomes(or, context).some(Boolean) : [],
  ].flat();
}

function isEqual(condition: PropertyCondition, { site, caller, project, issue, appKey }: ConditionContext): boolean {
  const owners = {
    issue: issue?.id,
    project: project?.id,
    user: caller.kind === 'person' ? caller.person.accountId : undefined,
    app: appKey,
  };
  const kind = condition.entity === 'app' ? 'addon' : condition.entity;
  const propertyValue = site.properties.get(`${kind}/${owners[condition.entity]}/${condition.propertyKey}`);
  return (
    propertyValue !== undefined &&
    (typeof propertyValue === 'string' ? propertyValue : JSON.stringify(propertyValue)) === condition.value
  );
}
