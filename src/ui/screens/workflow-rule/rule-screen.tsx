import CloseIcon from '@atlaskit/icon/core/cross';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { RuleFrame } from '../../../bridge/bridge.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { normalName } from '../../../domain/statuses.ts';
import {
  type Decision,
  RULE_NAME_MAX,
  RULE_NAMES_MAX,
  type RuleKind,
  type RuleOptions,
  readRule,
} from '../../../domain/workflow/options.ts';
import { ruleWords } from '../../../domain/workflow/words.ts';
import { Button } from '../../kit/button.tsx';
import { Check, Field, Select, TextInput } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryResult } from '../../kit/query-result.tsx';
import { RowButton } from '../../kit/sortable/sortable.tsx';
import { optionsOf, type RuleProblem, useChecklistNames, useRuleForm, useRuleFrame } from './use-rule.ts';
import './workflow.css';

/** The configuration of a workflow rule: the form of a new or existing one, or its summary. */
export default function RuleScreen() {
  const rule = useRuleFrame();
  return (
    <main className="rule">
      <h1 className="check-hidden">Checklist rule</h1>
      <QueryResult of={rule}>
        {frame => (frame.entry === 'view' ? <Summary frame={frame} /> : <RuleForm frame={frame} />)}
      </QueryResult>
    </main>
  );
}

const UNREADABLE_MESSAGE = "We couldn't read the settings of this rule. It blocks every issue until you save it again.";

function Summary({ frame: { kind, config } }: { frame: RuleFrame }) {
  const options = readRule(config);
  if (!options) return <Message appearance="warning">{UNREADABLE_MESSAGE}</Message>;
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
  const { form, change, problem, tries, isRefused, isUnreadable } = useRuleForm(frame);
  const names = useChecklistNames().data;
  const options = optionsOf(form);
  const alert = useRef<HTMLParagraphElement>(null);
  const percentage = useRef<HTMLInputElement>(null);
  const showProblem = useEffectEvent(() => {
    if (problem) (problem === 'PERCENT' ? percentage : alert).current?.focus();
  });
  useEffect(() => {
    if (tries > 0) showProblem();
  }, [tries]);
  const decisionOptions = decisions(kind);
  return (
    <form className="form" aria-label="Workflow rule" noValidate onSubmit={event => event.preventDefault()}>
      {isUnreadable ? <Message appearance="warning">{UNREADABLE_MESSAGE}</Message> : null}
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
              ref={percentage}
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
        hint={form.skippedDone ? undefined : 'Checklists still show skipped items as done.'}
        onChange={value => change({ skippedDone: value === 'done' })}
      />
      <Select
        label="If the issue has no checklist"
        value={form.without}
        options={decisionOptions}
        onChange={without => change({ without })}
      />
      <Select
        label="If the checklist can’t be read"
        value={form.unreadable}
        options={decisionOptions}
        hint="This happens when another app wrote it, when it is very long, or when no one has changed it since this app was updated."
        onChange={unreadable => change({ unreadable })}
      />
      {form.sections.length > 0 ? (
        <Select
          label="If the checklist has no such section"
          value={form.gone}
          options={decisionOptions}
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

interface NamesFieldProps {
  label: string;
  /** One of the names, for the buttons: "section". */
  what: string;
  names: readonly string[];
  suggestions: readonly string[];
  /** The note about a name that is not among the suggestions, once the suggestions are known. */
  unknown: ((name: string) => string) | undefined;
  hint: string;
  onChange(names: string[]): void;
}

const isSame = (one: string, other: string) => normalName(one) === normalName(other);

/**
 * A list of names, with a field that adds one, also by Enter, and when it is left: the button that saves is the tracker's,
 * and a name that stands in the field is part of the rule.
 */
function NamesField({ label, what, names, suggestions, unknown, hint, onChange }: NamesFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const name = typed.replace(/\s+/g, ' ').trim();
  const isFull = names.length >= RULE_NAMES_MAX;
  const isListed = names.some(each => isSame(each, name));
  const add = () => {
    if (name === '' || isFull || isListed) return;
    const suggestedName = suggestions.find(each => isSame(each, name)) ?? name;
    // If no checklist shows how a status is written, its name is known in lower case only.
    onChange([...names, suggestedName === normalName(suggestedName) ? name : suggestedName]);
    setTyped('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  const error =
    isFull && name
      ? `You can add at most ${RULE_NAMES_MAX} names. Remove one first.`
      : isListed && name
        ? fieldErrors.NOT_UNIQUE
        : undefined;
  const missing = unknown ? names.filter(each => !suggestions.some(known => isSame(known, each))) : [];
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      {names.length === 0 ? null : (
        <ul className="rule-names">
          {names.map(each => (
            <li key={normalName(each)}>
              <span dir="auto">{each}</span>
              <RowButton
                icon={CloseIcon}
                label={`Remove ${each}`}
                onClick={() => {
                  onChange(names.filter(other => other !== each));
                  input.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="rule-add">
        <input
          ref={input}
          id={id}
          className="form-input"
          type="text"
          dir="auto"
          autoComplete="off"
          list={`${id}-names`}
          value={typed}
          maxLength={RULE_NAME_MAX}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error ${id}-hint`}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={press}
          onBlur={add}
        />
        <datalist id={`${id}-names`}>
          {suggestions
            .filter(each => !names.some(other => isSame(other, each)))
            .map(each => (
              <option key={each} value={each} />
            ))}
        </datalist>
        <Button
          onClick={() => {
            add();
            input.current?.focus();
          }}
        >{`Add ${what}`}</Button>
      </div>
      {missing.map(each => (
        <span key={each} className="rule-unknown" role="status">
          {unknown?.(each)}
        </span>
      ))}
    </Field>
  );
}
