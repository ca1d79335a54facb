import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RuleFrame } from '../../../bridge/bridge.ts';
import { workflowRulesEdited } from '../../../client/admin/settings.ts';
import { readChecklistNames } from '../../../client/tracker/checklist-names.ts';
import { compileRule, savedRule } from '../../../domain/workflow/compile.ts';
import { fitsTracker } from '../../../domain/workflow/expression.ts';
import { hasCondition, newRule, type RuleKind, type RuleOptions, readRule } from '../../../domain/workflow/options.ts';
import { useBridge, useGraphql, useHostContext } from '../../shell/services/services.ts';

/** The frame's rule, from the host. */
export function useRuleFrame() {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['workflow rule'],
    queryFn: async (): Promise<RuleFrame> => {
      if (!bridge.modules) throw new Error('Open this page from a workflow in Jira.');
      return (await bridge.modules()).rule();
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  });
}

/** Names that checklists use, for suggestions. */
export function useChecklistNames() {
  const bridge = useBridge();
  const { projectId } = useHostContext();
  return useQuery({
    queryKey: ['checklist names', projectId],
    queryFn: ({ signal }) => readChecklistNames(bridge, projectId, signal),
    meta: { silent: true },
  });
}

/** A form's values: `percent` as typed, empty if it is not asked for. */
export interface RuleForm extends Omit<RuleOptions, 'percent'> {
  hasPercent: boolean;
  percent: string;
}

const formOf = ({ percent, ...options }: RuleOptions): RuleForm => ({
  ...options,
  hasPercent: percent !== null,
  percent: String(percent ?? 80),
});

/** The options of a form; `undefined` for an invalid percent. */
export function optionsOf({ hasPercent, percent, ...form }: RuleForm): RuleOptions | undefined {
  const value = /^\d{1,3}$/.test(percent.trim()) ? Number(percent) : Number.NaN;
  return readRule({ ...form, percent: hasPercent ? value : null });
}

export type RuleProblem = 'NOTHING' | 'PERCENT' | 'TOO_LONG';

/** The reason why a form cannot be saved. */
export function problemOf(form: RuleForm, kind: RuleKind): RuleProblem | undefined {
  const options = optionsOf(form);
  if (!options) return 'PERCENT';
  if (!hasCondition(options)) return 'NOTHING';
  return fitsTracker(compileRule(options, kind)) ? undefined : 'TOO_LONG';
}

/**
 * Returns the function that lets the server know of a saved rule. The host reads a rule twice when it is saved; the server
 * is notified once. A failure is ignored: what panels say of rules is then corrected some minutes later.
 */
function useNoteEdit(): (saved: string) => void {
  const graphql = useGraphql();
  const noted = useRef<string>(undefined);
  return useCallback(
    saved => {
      if (saved === noted.current) return;
      noted.current = saved;
      void graphql.mutate(workflowRulesEdited, {}, data => data.workflowRulesEdited).catch(() => undefined);
    },
    [graphql],
  );
}

/** The form of a rule, whose values the host takes when the user saves there. */
export function useRuleForm({ kind, config, onSave }: RuleFrame) {
  const [form, setForm] = useState(() => formOf(readRule(config) ?? newRule));
  /** How often the user has tried to save. */
  const [tries, setTries] = useState(0);
  const [isRefused, setRefused] = useState(false);
  const problem = problemOf(form, kind);
  const noteEdit = useNoteEdit();
  const latest = useRef({ form, problem });
  useEffect(() => {
    latest.current = { form, problem };
  }, [form, problem]);
  useEffect(() => {
    const readFormRule = () => {
      const { form, problem } = latest.current;
      const options = optionsOf(form);
      setTries(count => count + 1);
      if (problem || !options) return undefined;
      const saved = JSON.stringify(savedRule(options, kind));
      noteEdit(saved);
      return saved;
    };
    onSave(readFormRule).catch(() => setRefused(true));
  }, [onSave, kind, noteEdit]);
  return {
    form,
    change: (values: Partial<RuleForm>) => setForm({ ...form, ...values }),
    problem: tries > 0 ? problem : undefined,
    tries,
    /** The host does not accept the entered values. */
    isRefused,
    /** The saved configuration was not readable. */
    isUnreadable: config !== undefined && readRule(config) === undefined,
  };
}
