import Button from '@atlaskit/button/new';
import { type FormEvent, useState } from 'react';
import type { Assignment } from '../../../client/admin/assignments.ts';
import { MutationRefused } from '../../../client/errors.ts';
import type { Named, OfWorkflow } from '../../../client/tracker/workflow.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { issuePath } from '../../../domain/pages.ts';
import { Check, DeletedMessage, Select } from '../../kit/form/form.tsx';
import type { TemplateName } from '../../model/templates/use-templates.ts';
import { TrackerLink } from '../../shell/navigation/tracker-link.tsx';
import { type Known, moments, type RuleInput, useRulePreview } from './use-assignments.ts';

interface Props {
  /** The one that is changed; without it one is made. */
  rule?: Assignment;
  /** What was entered for one that somebody else has deleted meanwhile. */
  left?: LeftRule | undefined;
  templates: readonly TemplateName[];
  known: Known;
  /** From where one looks; without one, rules are for the whole site. */
  projectId: string | undefined;
  busy: boolean;
  /** Resolves when it is stored. `before` is what the form began with. */
  onSave(values: RuleInput, before: RuleInput): Promise<unknown>;
  onEntered?(values: RuleInput): void;
  onClose(): void;
}

export interface LeftRule {
  /** What it was called. */
  name: string;
  values: RuleInput;
}

const MOMENTS = ['CREATED', 'MOVED', 'FIELD_CHANGED'] as const;

/** A rule as it is made or changed, and which issues it is about. */
export function RuleForm({ rule, left, templates, known, projectId, busy, onSave, onEntered, onClose }: Props) {
  const [before] = useState<RuleInput>(() => ({
    templateId: rule?.templateName === null ? '' : (rule?.templateId ?? ''),
    projectIds: rule?.projectIds ?? (projectId === undefined ? [] : [projectId]),
    issueTypeIds: rule?.issueTypeIds ?? [],
    moment: rule?.moment ?? 'CREATED',
    statusIds: rule?.statusIds ?? [],
    fieldId: rule?.fieldId ?? null,
  }));
  const [values, setValues] = useState(left?.values ?? before);
  const [error, setError] = useState<{ field: string; message: string } | undefined>(undefined);
  const change = (next: Partial<RuleInput>) => {
    setError(undefined);
    setValues({ ...values, ...next });
    onEntered?.({ ...values, ...next });
  };
  const wrong = (field: string) => (error?.field === field ? error.message : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (values.templateId === '') return setError({ field: 'templateId', message: fieldErrors.REQUIRED });
    try {
      await onSave(values, before);
    } catch (reason) {
      if (reason instanceof MutationRefused) setError({ field: reason.field ?? '', message: reason.message });
    }
  };
  /** Those of the chosen projects; what is of one project alone is chosen along with that. */
  const among = (all: readonly OfWorkflow[], chosen: readonly string[]) =>
    all.filter(each => !each.projectId || values.projectIds.includes(each.projectId) || chosen.includes(each.id));
  return (
    <form
      className="form form-boxed"
      aria-label={rule ? 'Edit rule' : 'New rule'}
      noValidate
      onSubmit={event => void submit(event)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {left ? <DeletedMessage what={left.name} /> : null}
      <Select
        label="Apply the template"
        value={values.templateId}
        error={wrong('templateId')}
        options={[
          { value: '', words: 'Choose a template' },
          ...templates.map(({ id, name }) => ({ value: id, words: name })),
        ]}
        onChange={templateId => change({ templateId })}
      />
      <Select
        label="When an issue"
        value={values.moment}
        options={MOMENTS.map(value => ({ value, words: moments[value] }))}
        onChange={(moment: RuleInput['moment']) => change({ moment, statusIds: [], fieldId: null })}
      />
      {values.moment === 'MOVED' ? (
        <Several
          label="Which status"
          all={among(known.statuses, values.statusIds)}
          chosen={values.statusIds}
          error={wrong('statusIds')}
          onChange={statusIds => change({ statusIds })}
        />
      ) : null}
      {values.moment === 'FIELD_CHANGED' ? (
        <Select
          label="Which field"
          value={values.fieldId ?? ''}
          error={wrong('fieldId')}
          options={[
            { value: '', words: 'Choose a field' },
            ...known.fields.map(({ id, name }) => ({ value: id, words: name })),
          ]}
          onChange={fieldId => change({ fieldId: fieldId === '' ? null : fieldId })}
        />
      ) : null}
      {known.projects.length > 0 ? (
        <Several
          label="In these projects (none is all)"
          all={known.projects}
          chosen={values.projectIds}
          error={wrong('projectIds')}
          onChange={projectIds => change({ projectIds })}
        />
      ) : null}
      {known.types.length > 0 ? (
        <Several
          label="Of these types (none is all)"
          all={among(known.types, values.issueTypeIds)}
          chosen={values.issueTypeIds}
          error={wrong('issueTypeIds')}
          onChange={issueTypeIds => change({ issueTypeIds })}
        />
      ) : null}
      <Touched values={values} />
      <div className="form-buttons">
        <Button appearance="primary" type="submit" isLoading={busy}>
          {rule ? 'Save rule' : 'Create rule'}
        </Button>
        <Button appearance="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface SeveralProps {
  label: string;
  all: readonly Named[];
  chosen: readonly string[];
  error: string | undefined;
  onChange(ids: string[]): void;
}

/** Some of a few. */
const Several = ({ label, all, chosen, error, onChange }: SeveralProps) => (
  <fieldset className="form-field">
    <legend className="form-label">{label}</legend>
    <div className="form-choices rules-several">
      {all.map(({ id, name }) => (
        <Check
          key={id}
          checked={chosen.includes(id)}
          onChange={now => onChange(now ? [...chosen, id] : chosen.filter(each => each !== id))}
        >
          {name}
        </Check>
      ))}
    </div>
    <span className="form-error" role="alert">
      {error}
    </span>
  </fieldset>
);

/** The issues that a rule is about, as far as there are any yet. */
function Touched({ values }: { values: RuleInput }) {
  const { data, isError } = useRulePreview(values);
  if (isError) return <p className="form-hint">Which issues would fit is not known now.</p>;
  if (!data) return null;
  const { count, issues } = data;
  return (
    <div className="rules-touched" role="status">
      <p>
        {issues.length === 0
          ? 'No issue fits yet.'
          : `${count === null ? 'Issues' : `About ${count.toLocaleString('en')} ${count === 1 ? 'issue' : 'issues'}`} would fit now. Each gets the template once, at its moment; nothing happens to them by saving this.`}
      </p>
      <ul>
        {issues.slice(0, 5).map(({ id, key, summary }) => (
          <li key={id}>
            <TrackerLink path={issuePath(key)}>{key}</TrackerLink> <span dir="auto">{summary}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
