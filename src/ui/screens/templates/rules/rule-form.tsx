import Button from '@atlaskit/button/new';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import type { Assignment } from '../../../../client/admin/assignments.ts';
import type { DeletedTemplate } from '../../../../client/admin/templates.ts';
import type { Named, OfWorkflow } from '../../../../client/tracker/workflow.ts';
import { fieldErrors } from '../../../../domain/fields.ts';
import { failures, managing, templates as messages, rules } from '../../../../domain/messages.ts';
import { issuePath } from '../../../../domain/pages.ts';
import { CheckGroup, Select } from '../../../kit/form/form.tsx';
import { QueryError, QueryResult, type QueryState } from '../../../kit/query-result.tsx';
import { useFormDraft } from '../../../model/drafts/use-form-draft.ts';
import { ProjectsField } from '../../../model/projects.tsx';
import { type TemplateName, useTemplateChanges } from '../../../model/templates/use-templates.ts';
import { EntryForm, type Unsaved, useRefusal } from '../../../shell/entry-form.tsx';
import { TrackerLink } from '../../../shell/navigation/links.tsx';
import { NotRestored } from '../manager/deleted-templates.tsx';
import { hasTrigger, moments, type RuleInput, type RuleWorkflow, useRulePreview } from './use-rules.ts';

interface Props {
  /** The edited rule; without it the form creates one. */
  rule?: Assignment;
  /** The rule's template, if it is deleted and can be restored. */
  deleted?: DeletedTemplate | undefined;
  /** The values entered for a rule that was deleted meanwhile. */
  unsaved?: Unsaved<RuleInput> | undefined;
  templates: QueryState<readonly TemplateName[]>;
  workflow: QueryState<RuleWorkflow>;
  /** The current project; without one, rules are for the whole site. */
  projectId: string | undefined;
  busy: boolean;
  /** Resolves when it is stored. `before` are the form's initial values. */
  onSave(values: RuleInput, before: RuleInput): Promise<unknown>;
  onEntered?(values: RuleInput): void;
  onClose(): void;
}

const RULE_MOMENTS = ['CREATED', 'MOVED', 'FIELD_CHANGED'] as const;

/** The stored values of an unsaved rule. */
const draftShape = v.object({
  templateId: v.exactOptional(v.string()),
  projectIds: v.exactOptional(v.array(v.string())),
  issueTypeIds: v.exactOptional(v.array(v.string())),
  moment: v.exactOptional(v.picklist(RULE_MOMENTS)),
  statusIds: v.exactOptional(v.array(v.string())),
  fieldId: v.exactOptional(v.nullable(v.string())),
});

/** The form for a new or edited rule, and the issues that it matches. */
export function RuleForm(props: Props) {
  const { rule, deleted, unsaved, templates, workflow, projectId, busy, onSave, onEntered, onClose } = props;
  const [before] = useState<RuleInput>(() => ({
    templateId: rule?.templateName === null ? '' : (rule?.templateId ?? ''),
    projectIds: rule?.projectIds ?? (projectId === undefined ? [] : [projectId]),
    issueTypeIds: rule?.issueTypeIds ?? [],
    moment: rule?.moment ?? 'CREATED',
    statusIds: rule?.statusIds ?? [],
    fieldId: rule?.fieldId ?? null,
  }));
  const draft = useFormDraft(`rule ${projectId ?? 'site'} ${rule?.id ?? ''}`, {
    before,
    unsaved: unsaved?.values,
    shape: draftShape,
  });
  const { values } = draft;
  const { refuse, errorOf, attempt } = useRefusal();
  const template = useRef<HTMLSelectElement>(null);
  const change = (next: Partial<RuleInput>) => {
    refuse(undefined);
    draft.change(next);
    onEntered?.({ ...values, ...next });
  };
  const save = async () => {
    if (values.templateId === '') return refuse({ field: 'templateId', message: fieldErrors.REQUIRED });
    await attempt(() => onSave(values, before).then(draft.discard));
  };
  /** Options of the chosen projects; an option of a single project is listed only if that is chosen. */
  const optionsOf = (all: readonly OfWorkflow[], chosen: readonly string[]) =>
    all.filter(each => !each.projectId || values.projectIds.includes(each.projectId) || chosen.includes(each.id));
  return (
    <EntryForm
      label={rule ? 'Edit rule' : 'New rule'}
      save={rule ? 'Save rule' : 'Create rule'}
      busy={busy}
      unsaved={unsaved}
      dirty={JSON.stringify(values) !== JSON.stringify(before)}
      draft={draft}
      failed={failures.unknown}
      onSave={save}
      onClose={onClose}
    >
      {rule?.templateName === null && values.templateId === '' ? (
        <LostTemplate
          deleted={deleted}
          onRestored={templateId => {
            change({ templateId });
            // The pressed button goes with its message.
            template.current?.focus();
          }}
        />
      ) : null}
      <QueryResult of={templates} title={managing.getTemplates}>
        {names => (
          <Select
            ref={template}
            label="Apply the template"
            value={values.templateId}
            error={errorOf('templateId')}
            options={[
              { value: '', words: 'Choose a template' },
              ...names.map(({ id, name }) => ({ value: id, words: name })),
            ]}
            onChange={templateId => change({ templateId })}
          />
        )}
      </QueryResult>
      <Select
        label="When an issue"
        value={values.moment}
        options={RULE_MOMENTS.map(value => ({ value, words: moments[value] }))}
        onChange={(moment: RuleInput['moment']) => change({ moment, statusIds: [], fieldId: null })}
      />
      {projectId === undefined ? (
        <ProjectsField
          chosen={values.projectIds}
          error={errorOf('projectIds')}
          onChange={projectIds => change({ projectIds })}
        />
      ) : null}
      <QueryResult of={workflow} title={messages.workflowNotLoaded}>
        {({ types, statuses, fields }) => (
          <>
            {values.moment === 'MOVED' ? (
              <CheckGroup
                label="Which status"
                all={optionsOf(statuses, values.statusIds)}
                chosen={values.statusIds}
                error={errorOf('statusIds')}
                onChange={statusIds => change({ statusIds })}
              />
            ) : null}
            {values.moment === 'FIELD_CHANGED' ? (
              <Select
                label="Which field"
                value={values.fieldId ?? ''}
                error={errorOf('fieldId')}
                options={[
                  { value: '', words: 'Choose a field' },
                  ...fields
                    .filter(({ id, isChangeable }) => isChangeable || id === values.fieldId)
                    .map(({ id, name }) => ({ value: id, words: name })),
                ]}
                onChange={fieldId => change({ fieldId: fieldId === '' ? null : fieldId })}
              />
            ) : null}
            {types.length > 0 ? (
              <CheckGroup
                label="Issue types (all if none selected)"
                all={optionsOf(types, values.issueTypeIds)}
                chosen={values.issueTypeIds}
                error={errorOf('issueTypeIds')}
                onChange={issueTypeIds => change({ issueTypeIds })}
              />
            ) : null}
          </>
        )}
      </QueryResult>
      {hasTrigger(values) ? (
        <MatchingIssues values={values} isEdited={rule !== undefined} workflow={workflow.data} />
      ) : null}
    </EntryForm>
  );
}

interface LostTemplateProps {
  /** The template, if it can be restored. */
  deleted: DeletedTemplate | undefined;
  onRestored(id: string): void;
}

/** Says that the template of a rule was deleted, with a button that restores it. */
function LostTemplate({ deleted, onRestored }: LostTemplateProps) {
  const { restore } = useTemplateChanges();
  if (!deleted) return <p className="templates-full">{rules.templateDeleted}</p>;
  const { id, name } = deleted;
  return (
    <div className="templates-question">
      <p>
        The template “<span dir="auto">{name}</span>” was deleted. Restore it, or choose another one.
      </p>
      <Button
        spacing="compact"
        isLoading={restore.isPending}
        onClick={() => restore.mutate(id, { onSuccess: () => onRestored(id) })}
      >
        Restore
      </Button>
      <NotRestored template={deleted} restore={restore} />
    </div>
  );
}

/** The tracker's list of the issues that a query finds. */
const issuesPath = (jql: string): string => `/issues/?${new URLSearchParams({ jql })}`;

const MAX_SHOWN_ISSUES = 5;

interface MatchingProps {
  values: RuleInput;
  /** Whether the rule exists, so that issues may have got its template. */
  isEdited: boolean;
  workflow: RuleWorkflow | undefined;
}

/** Says which issues get the template of the rule, and which do not, with the first of those that match now. */
function MatchingIssues({ values, isEdited, workflow }: MatchingProps) {
  const { data, isError, error, isFetching, refetch } = useRulePreview(values);
  if (isError && !data)
    return (
      <QueryError
        title="We couldn't count matching issues."
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (!data) return null;
  const { jql, count, issues } = data;
  const matching = { isEmpty: issues.length === 0, count };
  const { moment, statusIds, fieldId } = values;
  const nameOf = (all: readonly OfWorkflow[] | readonly Named[] | undefined, id: string | null) =>
    all?.find(each => each.id === id)?.name;
  const statuses = [...new Set(statusIds.flatMap(id => nameOf(workflow?.statuses, id) ?? []))];
  return (
    <div className="rules-touched" role="status">
      <p>
        {moment === 'CREATED'
          ? rules.created(matching)
          : moment === 'MOVED'
            ? rules.moved(matching, statuses)
            : rules.changed(matching, nameOf(workflow?.fields, fieldId))}
      </p>
      <ul>
        {issues.slice(0, MAX_SHOWN_ISSUES).map(({ id, key, summary }) => (
          <li key={id}>
            <TrackerLink path={issuePath(key)}>{key}</TrackerLink> <span dir="auto">{summary}</span>
          </li>
        ))}
      </ul>
      {issues.length > MAX_SHOWN_ISSUES || (count ?? 0) > issues.length ? (
        <p>
          <TrackerLink path={issuesPath(jql)}>{rules.showAll}</TrackerLink>
        </p>
      ) : null}
      {isEdited ? <p>{rules.applied}</p> : null}
    </div>
  );
}
