import * as v from 'valibot';
import { readAs, readJson } from '../shape.ts';

/** The conditions of a workflow rule on an issue's checklist. All conditions that are on have to hold. */

/** Limits of a section's or status's name, in characters, and of the number of names of a kind. */
export const RULE_NAME_MAX = 140;
export const RULE_NAMES_MAX = 10;

const name = v.pipe(
  v.string(),
  v.transform(text => text.replace(/[\s\p{Control}]+/gu, ' ').trim()),
  v.minLength(1),
  v.maxLength(RULE_NAME_MAX),
);
const names = v.pipe(v.array(name), v.maxLength(RULE_NAMES_MAX));
const decision = v.picklist(['pass', 'refuse']);
export type Decision = v.InferOutput<typeof decision>;

const conditions = {
  mandatory: v.boolean(),
  all: v.boolean(),
  /** Sections whose items have to be done. */
  sections: names,
  /** Least percent of done items. */
  percent: v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(100), v.transform(Math.floor))),
  /** Statuses that no item may have. */
  statuses: names,
  overdue: v.boolean(),
  /** Sections that are marked before the transition's target status. */
  gates: v.boolean(),
};

export const ruleOptions = v.object({
  v: v.literal(1),
  ...conditions,
  /** Whether skipped items count as done. */
  skippedDone: v.boolean(),
  /** For an issue without a checklist, for one that cannot be read, and for one without a named section. */
  without: decision,
  unreadable: decision,
  gone: decision,
});
export type RuleOptions = v.InferOutput<typeof ruleOptions>;

/** A new rule. */
export const newRule: RuleOptions = {
  v: 1,
  mandatory: true,
  all: false,
  sections: [],
  percent: null,
  statuses: [],
  overdue: false,
  gates: true,
  skippedDone: true,
  without: 'pass',
  unreadable: 'refuse',
  gone: 'refuse',
};

/** A validator refuses with a message; a condition hides the transition. */
export type RuleKind = 'validator' | 'condition';

/** Whether a rule has a condition. */
export const hasCondition = (options: RuleOptions): boolean =>
  options.mandatory ||
  options.all ||
  options.overdue ||
  options.gates ||
  options.percent !== null ||
  options.sections.length > 0 ||
  options.statuses.length > 0;

/** The configuration that the tracker keeps: the options, and the expression that it evaluates. */
export interface SavedRule extends RuleOptions {
  expression: string;
  /** The rule in words, for the tracker's list of rules. */
  summary: string;
}

/** Reads a kept configuration, which may be JSON; `undefined` for one of another shape. */
export const readRule = (config: unknown): RuleOptions | undefined =>
  readAs(ruleOptions, typeof config === 'string' ? readJson(config) : config);
