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
  values: v.array(v.object({ validators: rules, conditions: rules })),
  isLast: v.optional(v.boolean(), true),
});

/** The tracker's largest page, in workflows. */
const PAGE = 50;
/** Workflows beyond these pages are not looked at. */
const MAX_PAGES = 4;

/** The options of the app's enabled workflow rules of a kind, in all workflows of a site. Unreadable ones are left out. */
export async function readWorkflowRules(tracker: Tracker, kind: RuleKind): Promise<RuleOptions[]> {
  const found: RuleOptions[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await tracker({
      name: 'readWorkflowRules',
      method: 'GET',
      path: '/rest/api/3/workflow/rule/config',
      query: { startAt: String(page * PAGE), maxResults: String(PAGE), types: kind },
    });
    if (answer.status !== 200) throw new TrackerRefused('readWorkflowRules', answer);
    const { values, isLast } = parseAs(pageShape, answer.body);
    for (const { configuration } of values.flatMap(({ validators, conditions }) => [...validators, ...conditions])) {
      const options = configuration.disabled ? undefined : readRule(configuration.value);
      if (options) found.push(options);
    }
    if (isLast || values.length === 0) break;
  }
  return found;
}
