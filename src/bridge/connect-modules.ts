import * as v from 'valibot';
import { readAs } from '../domain/shape.ts';
import type { Ap } from './ap.ts';
import type { RuleFrame } from './bridge.ts';

/*
 * Frames of single modules on Connect, which only their screens load.
 */

const ruleShape = v.object({
  rule: v.picklist(['validator', 'condition']),
  entry: v.picklist(['create', 'edit', 'view']),
  config: v.nullish(v.string()),
});

/** The workflow rule of a frame, which its address names. Rejects for another frame. */
export async function connectRule(ap: Ap, search: string): Promise<RuleFrame> {
  const named = readAs(ruleShape, Object.fromEntries(new URLSearchParams(search)));
  if (!named) throw new Error('This frame is for no workflow rule.');
  const { rule, entry, config } = named;
  const onSave = async (read: () => string | undefined) => {
    // The host calls the first, and the second where that is true; both at once.
    ap.jira.WorkflowConfiguration.onSaveValidation(() => read() !== undefined);
    ap.jira.WorkflowConfiguration.onSave(() => read() ?? '');
  };
  return { kind: rule, entry, ...(config && { config }), onSave };
}
