import Button from '@atlaskit/button/new';
import AddIcon from '@atlaskit/icon/core/add';
import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import { useRef, useState } from 'react';
import type { Assignment as Rule } from '../../../../client/admin/assignments.ts';
import { failures, managing, templates as messages, refusals } from '../../../../domain/messages.ts';
import { Loading } from '../../../kit/content-state.tsx';
import { useOpener } from '../../../kit/focus.ts';
import { Check, changedValues, Failure } from '../../../kit/form/form.tsx';
import { Message } from '../../../kit/message.tsx';
import { QueryError } from '../../../kit/query-result.tsx';
import { RowButton, SortableList } from '../../../kit/sortable/sortable.tsx';
import { useFormDrafts } from '../../../model/drafts/use-form-draft.ts';
import { useDeletedTemplates, useTemplateNames } from '../../../model/templates/use-templates.ts';
import { type Unsaved, useEntered } from '../../../shell/entry-form.tsx';
import { useLeave } from '../../../shell/navigation/navigation.ts';
import { Back, PageTitle } from '../../../shell/plain-pages.tsx';
import { useHostContext, useUser } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';
import { RuleForm } from './rule-form.tsx';
import { type RuleInput, ruleWords, useRuleNames, useRules, useWorkflow } from './use-rules.ts';
import '../templates.css';

/** The rules that add templates to issues automatically. */
export default function RulesScreen() {
  const { projectId } = useHostContext();
  const { isAdmin, canManageTemplates } = useUser();
  const may = projectId === undefined ? isAdmin : canManageTemplates;
  return (
    <main className="templates">
      <PageTitle title="Rules">
        <Back to="/templates">All templates</Back>
      </PageTitle>
      {may ? (
        <Rules projectId={projectId} />
      ) : (
        <Message appearance="warning">{projectId === undefined ? refusals.permission : refusals.projectAdmin}</Message>
      )}
    </main>
  );
}

const noRules: readonly Rule[] = [];

function Rules({ projectId }: { projectId: string | undefined }) {
  useFormDrafts();
  const { isAdmin } = useUser();
  const { data: rules, create, update, remove, move, moveError, setEnabled, errors, ...query } = useRules(projectId);
  const knownNames = useRuleNames(projectId, rules ?? noRules);
  const workflow = useWorkflow(projectId);
  const templates = useTemplateNames(projectId, 'ALL');
  const isLost = ({ templateName }: Rule) => templateName === null;
  const { data: deleted } = useDeletedTemplates(projectId, rules?.some(isLost) ?? false);
  useLiveQuery('templates', ['templates', 'deleted']);
  /** The rule's template, if it is deleted and can be restored. */
  const lostOf = (rule: Rule) => (isLost(rule) ? deleted?.find(({ id }) => id === rule.templateId) : undefined);
  const nameOf = (rule: Rule) => rule.templateName ?? lostOf(rule)?.name;
  /** The id of the open rule; `new` for a new one. */
  const [open, setOpen] = useState<string | undefined>(undefined);
  /** The values that a user entered for a rule that was deleted meanwhile. */
  const [unsaved, setUnsaved] = useState<Unsaved<RuleInput> | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const opener = useOpener(open !== undefined, box);
  const leave = useLeave();
  const isDeleted = open !== undefined && open !== 'new' && rules?.every(({ id }) => id !== open) === true;
  const entered = useEntered<RuleInput>(isDeleted, values => {
    opener.current = 'new';
    setUnsaved(values);
    setOpen(values && 'new');
  });
  const show = (id: string) =>
    leave(() => {
      opener.current = id;
      entered.current = undefined;
      setUnsaved(undefined);
      setOpen(id);
    });
  const close = () => setOpen(undefined);
  if (!rules) {
    if (!query.isError) return <Loading />;
    return (
      <QueryError
        title={failures.unknown}
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const form = { templates, workflow, projectId, onClose: close };
  /** Project administrators cannot change rules of the whole site. */
  const mayChange = ({ projectIds }: Rule) => isAdmin || (projectIds.length === 1 && projectIds[0] === projectId);
  return (
    <div ref={box} className="templates-box" tabIndex={-1}>
      <div className="form-buttons">
        <Button iconBefore={AddIcon} data-opens="new" isDisabled={open === 'new'} onClick={() => show('new')}>
          New rule
        </Button>
      </div>
      {open === 'new' ? (
        <RuleForm
          {...form}
          unsaved={unsaved}
          busy={create.isPending}
          onSave={values => create.mutateAsync(values).then(close)}
        />
      ) : null}
      {open === undefined && !workflow.data && workflow.isError ? (
        <QueryError
          title={messages.workflowNotLoaded}
          error={workflow.error}
          onRetry={() => void workflow.refetch()}
          retrying={workflow.isFetching}
        />
      ) : null}
      <Failure of={moveError} words={managing.moveAssignment} />
      {rules.length === 0 ? (
        <p className="templates-none">No template is applied automatically yet.</p>
      ) : (
        <SortableList
          label="Rules, in the order in which they are applied"
          items={rules}
          keyOf={({ id }) => id}
          nameOf={rule => nameOf(rule) ?? 'Rule'}
          onMove={open === undefined && rules.every(mayChange) ? move : undefined}
        >
          {rule =>
            open === rule.id ? (
              <RuleForm
                {...form}
                rule={rule}
                deleted={lostOf(rule)}
                onEntered={values => {
                  entered.current = { name: nameOf(rule) ?? 'Rule', values };
                }}
                busy={update.isPending}
                onSave={(values, before) =>
                  update.mutateAsync({ id: rule.id, ...changedValues(before, values) }).then(close)
                }
              />
            ) : (
              <>
                <span className="rules-words">
                  {nameOf(rule) === undefined ? (
                    <em>A deleted template</em>
                  ) : (
                    <strong dir="auto">{nameOf(rule)}</strong>
                  )}{' '}
                  {lostOf(rule) && <em>(deleted template)</em>} {ruleWords(rule, knownNames)}
                  {isLost(rule) && (
                    <small className="rules-missing">
                      This rule does nothing until you restore the template or choose another.
                    </small>
                  )}
                </span>
                <span className="page-tools">
                  <Check
                    checked={rule.enabled}
                    disabled={!mayChange(rule)}
                    onChange={enabled => setEnabled(rule.id, enabled)}
                  >
                    On
                    <span className="check-hidden">: {nameOf(rule) ?? 'a deleted template'}</span>
                  </Check>
                  {mayChange(rule) ? (
                    <>
                      <RowButton
                        icon={EditIcon}
                        label={`Edit the rule for ${nameOf(rule) ?? 'a deleted template'}`}
                        data-opens={rule.id}
                        onClick={() => show(rule.id)}
                      />
                      <RowButton
                        icon={DeleteIcon}
                        label={`Delete the rule for ${nameOf(rule) ?? 'a deleted template'}`}
                        onClick={() => remove.mutate(rule.id, { onSuccess: () => box.current?.focus() })}
                      />
                    </>
                  ) : null}
                </span>
                <Failure of={errors[rule.id] ?? (remove.variables === rule.id ? remove.error : null)} />
              </>
            )
          }
        </SortableList>
      )}
    </div>
  );
}
