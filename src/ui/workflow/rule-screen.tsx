import { useEffect, useRef } from 'react';
import type { RuleFrame } from '../../bridge/bridge.ts';
import { type Decision, type RuleKind, type RuleOptions, readRule } from '../../domain/workflow/options.ts';
import { ruleWords } from '../../domain/workflow/words.ts';
import { QueryResult } from '../kit/content-state.tsx';
import { Check, Select, TextInput } from '../kit/form/form.tsx';
import { Message } from '../kit/message.tsx';
import { NamesField } from './names-field.tsx';
import { optionsOf, type RuleProblem, useChecklistNames, useRuleForm, useRuleFrame } from './use-rule.ts';
import './workflow.css';

/** The configuration of a workflow rule: the form of a new or existing one, or its summary. */
export default function RuleScreen() {
  const rule = useRuleFrame();
  return (
    <main className="rule">
      <QueryResult of={rule}>
        {frame => (frame.entry === 'view' ? <Summary frame={frame} /> : <RuleForm frame={frame} />)}
      </QueryResult>
    </main>
  );
}

const UNREADABLE = "We couldn't read the settings of this rule. It blocks every issue until you save it again.";

function Summary({ frame: { kind, config } }: { frame: RuleFrame }) {
  const options = readRule(config);
  if (!options) return <Message appearance="warning">{UNREADABLE}</Message>;
  return <Words options={options} kind={kind} />;
}

/** A rule in words, the conditions first. */
function Words({ options, kind }: { options: RuleOptions; kind: RuleKind }) {
  const [first, ...others] = ruleWords(options, kind);
  if (first === undefined) return <p className="form-hint">Choose what the rule checks.</p>;
  return (
    <>
      <p className="rule-words">{first}</p>
      <ul className="rule-words">
        {others.map(words => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </>
  );
}

const problems: Record<RuleProblem, string> = {
  NOTHING: 'Choose at least one condition.',
  PERCENT: 'Enter a percentage from 1 to 100.',
  TOO_LONG: 'This rule is too long for Jira. Remove names, or add a second rule to the transition.',
};

const decisions = (kind: RuleKind): { value: Decision; words: string }[] => [
  { value: 'pass', words: 'Allow the transition' },
  { value: 'refuse', words: kind === 'validator' ? 'Block the transition' : 'Hide the transition' },
];

function RuleForm({ frame }: { frame: RuleFrame }) {
  const { kind } = frame;
  const { form, change, problem, isRefused, isUnreadable } = useRuleForm(frame);
  const names = useChecklistNames().data;
  const options = optionsOf(form);
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (problem) alert.current?.focus();
  }, [problem]);
  const others = decisions(kind);
  return (
    <form className="form" aria-label="Workflow rule" noValidate onSubmit={event => event.preventDefault()}>
      {isUnreadable ? <Message appearance="warning">{UNREADABLE}</Message> : null}
      {isRefused ? (
        <Message appearance="error">Jira doesn’t accept changes here. Close the rule, then open it again.</Message>
      ) : null}
      <fieldset className="form-field rule-group">
        <legend className="form-label">Allow the transition when</legend>
        <Check checked={form.mandatory} onChange={mandatory => change({ mandatory })}>
          All mandatory items are done
        </Check>
        <Check checked={form.all} onChange={all => change({ all })}>
          All items are done
        </Check>
        <Check checked={form.hasPercent} onChange={hasPercent => change({ hasPercent })}>
          A percentage of the items is done
        </Check>
        {form.hasPercent ? (
          <div className="rule-percent">
            <TextInput
              label="Minimum percentage"
              value={form.percent}
              maxLength={3}
              error={problem === 'PERCENT' ? problems.PERCENT : undefined}
              onChange={percent => change({ percent })}
            />
          </div>
        ) : null}
        <Check checked={form.overdue} onChange={overdue => change({ overdue })}>
          No open item is overdue
        </Check>
        <Check
          checked={form.gates}
          hint="Gates stand in section headers, for example: # Release !before:Done"
          onChange={gates => change({ gates })}
        >
          Sections with a gate before the target status are done
        </Check>
      </fieldset>
      <NamesField
        label="All items of these sections are done"
        what="section"
        names={form.sections}
        suggestions={names?.sections ?? []}
        unknown={names && (name => `No recent checklist has a section “${name}”. Check the name.`)}
        hint="Upper and lower case make no difference."
        onChange={sections => change({ sections })}
      />
      <NamesField
        label="No item has any of these statuses"
        what="status"
        names={form.statuses}
        suggestions={names?.statuses ?? []}
        unknown={names && (name => `No recent checklist uses a status “${name}”. Check the name.`)}
        hint="For example, a custom status such as “On hold”."
        onChange={statuses => change({ statuses })}
      />
      <Select
        label="Skipped items"
        value={form.skippedDone ? 'done' : 'open'}
        options={[
          { value: 'done', words: 'Count as done' },
          { value: 'open', words: 'Count as open' },
        ]}
        onChange={value => change({ skippedDone: value === 'done' })}
      />
      <Select
        label="If the issue has no checklist"
        value={form.without}
        options={others}
        onChange={without => change({ without })}
      />
      <Select
        label="If the checklist can’t be read"
        value={form.unreadable}
        options={others}
        hint="This happens when another app wrote it, or when it is very long."
        onChange={unreadable => change({ unreadable })}
      />
      {form.sections.length > 0 ? (
        <Select
          label="If the checklist has no such section"
          value={form.gone}
          options={others}
          onChange={gone => change({ gone })}
        />
      ) : null}
      <section className="rule-preview" aria-label="Preview">
        <h2>Preview</h2>
        {options ? <Words options={options} kind={kind} /> : <p className="form-hint">{problems.PERCENT}</p>}
      </section>
      <p ref={alert} className="form-error rule-problem" role="alert" tabIndex={-1}>
        {problem && problem !== 'PERCENT' ? problems[problem] : null}
      </p>
    </form>
  );
}
