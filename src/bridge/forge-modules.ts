import * as v from 'valibot';
import { places } from '../domain/pages.ts';
import { parseAs } from '../domain/shape.ts';
import type { RuleFrame } from './bridge.ts';
import { getCallBridge, getContext } from './forge-vendor.ts';
import { withHostTimeout } from './host-timeout.ts';

/*
 * Frames of single modules on Forge, which only their screens load.
 */

const ruleContext = v.object({
  moduleKey: v.picklist([places.validator.key, places.condition.key]),
  extension: v.object({
    /** Not documented for these modules. */
    entryPoint: v.optional(v.picklist(['create', 'edit', 'view'])),
    validatorConfig: v.nullish(v.unknown()),
    conditionConfig: v.nullish(v.unknown()),
  }),
});

/** Whether a configuration holds anything. */
const isGiven = (config: unknown): boolean =>
  config !== undefined && config !== null && JSON.stringify(config) !== '{}' && config !== '';

/**
 * The workflow rule of a frame. A host that does not name the page shows the form: it is the one that is needed. Rejects
 * for another frame.
 */
export async function forgeRule(): Promise<RuleFrame> {
  const { moduleKey, extension } = parseAs(ruleContext, await withHostTimeout(getContext()));
  const isValidator = moduleKey === places.validator.key;
  const config = isValidator ? extension.validatorConfig : extension.conditionConfig;
  return {
    kind: isValidator ? 'validator' : 'condition',
    entry: extension.entryPoint ?? (isGiven(config) ? 'edit' : 'create'),
    ...(isGiven(config) && { config }),
    // As `workflowRules.onConfigure` of @forge/jira-bridge 0.40 calls it, the rest of which is not needed here.
    onSave: async read => {
      const answer: unknown = await getCallBridge()('setWorkflowRuleConfigurationCallback', {
        data: { onConfigure: async () => read() },
      });
      if (answer === false) throw new Error('The host takes no configuration here.');
    },
  };
}
