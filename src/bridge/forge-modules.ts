import * as v from 'valibot';
import { places } from '../domain/pages.ts';
import { parseAs, readAs } from '../domain/shape.ts';
import type { GadgetFrame, ModuleFrames, RuleFrame } from './bridge.ts';

/*
 * Frames of single modules on Forge, which only their screens load.
 */

/** The functions of the host that are part of the first load. */
interface Host {
  context(): Promise<unknown>;
  /** Listens to an event of the host's channel. Returns the unsubscribe function. */
  subscribe(event: string, listener: (payload: unknown) => void): () => void;
}

/** The host's global, which the vendor's modules call as well. */
declare const __bridge: { callBridge(command: string, payload: object): Promise<unknown> };
const callBridge = (command: string, payload: object): Promise<unknown> => __bridge.callBridge(command, payload);

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
async function forgeRule({ context }: Host): Promise<RuleFrame> {
  const { moduleKey, extension } = parseAs(ruleContext, await context());
  const isValidator = moduleKey === places.validator.key;
  const config = isValidator ? extension.validatorConfig : extension.conditionConfig;
  return {
    kind: isValidator ? 'validator' : 'condition',
    entry: extension.entryPoint ?? (isGiven(config) ? 'edit' : 'create'),
    ...(isGiven(config) && { config }),
    // As `workflowRules.onConfigure` of @forge/jira-bridge 0.40 calls it, the rest of which is not needed here.
    onSave: async read => {
      const answer: unknown = await callBridge('setWorkflowRuleConfigurationCallback', {
        data: { onConfigure: async () => read() },
      });
      if (answer === false) throw new Error('The host takes no configuration here.');
    },
  };
}

const gadgetContext = v.object({
  moduleKey: v.literal(places.gadget.key),
  extension: v.object({
    entryPoint: v.nullish(v.string()),
    gadgetConfiguration: v.nullish(v.unknown()),
    gadget: v.nullish(v.object({ id: v.union([v.string(), v.number()]) })),
  }),
});
const refreshShape = v.object({ origin: v.string(), gadgetId: v.nullish(v.union([v.string(), v.number()])) });

/** The host's event of a refresh, which all gadgets get (Forge, "Jira dashboard gadget"). */
const REFRESH_EVENT = 'JIRA_DASHBOARD_GADGET_REFRESH';

/** The gadget of a frame. The host opens another frame to configure it. Rejects for another frame. */
async function forgeGadget({ context, subscribe }: Host): Promise<GadgetFrame> {
  const { extension } = parseAs(gadgetContext, await context());
  const { entryPoint, gadgetConfiguration: config, gadget: own } = extension;
  return {
    isEdit: entryPoint === 'edit',
    ...(isGiven(config) && { config }),
    async save(config) {
      const answer: unknown = await callBridge('submit', config as object);
      if (answer === false) throw new Error('The host takes no configuration here.');
      return true;
    },
    on(event, listener) {
      if (event === 'edit') return () => undefined;
      return subscribe(REFRESH_EVENT, payload => {
        const { origin, gadgetId } = readAs(refreshShape, payload) ?? { origin: 'dashboard' };
        if (origin === 'dashboard' || String(gadgetId) === String(own?.id)) listener();
      });
    },
  };
}

export const forgeModules = (host: Host): ModuleFrames => ({
  rule: () => forgeRule(host),
  gadget: () => forgeGadget(host),
});
