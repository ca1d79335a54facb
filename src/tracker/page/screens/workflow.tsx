import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { HostModule } from '../../wire/modules.ts';
import type { HostRule } from '../../wire/workflow.ts';
import { useFramework } from '../app/frames.ts';
import { useSite } from '../app/site.ts';
import { readOpenRule } from '../bridge/workflow.ts';
import { addRule, configureRule, removeRule } from '../data/changes.ts';
import { workflowQuery } from '../data/queries.ts';
import { Frame } from '../parts/frame.tsx';
import { Message } from '../parts/message.tsx';
import { AddonTrouble, idOf, Modules } from '../parts/modules.tsx';
import { Breadcrumbs, missingProject, useProject } from '../parts/project.tsx';
import { Answered, Missing } from '../parts/state.tsx';

/** The transitions of a project, with the apps' rules on them. */
export function WorkflowScreen({ projectKey }: { projectKey: string }) {
  const { user } = useSite();
  const project = useProject(projectKey, 'Workflow');
  const workflow = useQuery(workflowQuery(user.accountId, projectKey));
  if (!project) return <Missing title={missingProject} />;
  return (
    <Answered answer={workflow} missing={missingProject}>
      {({ transitions, rules }) => (
        <div className="page">
          <Breadcrumbs project={project} />
          <h1>Workflow</h1>
          <AddonTrouble />
          {transitions.map(({ id, name }) => (
            <Transition
              key={id}
              projectKey={project.key}
              id={id}
              name={name}
              rules={rules.filter(rule => rule.transitionId === id)}
            />
          ))}
        </div>
      )}
    </Answered>
  );
}

interface TransitionProps {
  projectKey: string;
  id: string;
  name: string;
  rules: readonly HostRule[];
}

/** A transition's rules, and the form of the one that is added or edited. */
function Transition({ projectKey, id, name, rules }: TransitionProps) {
  const framework = useFramework();
  const [form, setForm] = useState<{ module: HostModule } | { rule: HostRule } | undefined>(undefined);
  const close = () => setForm(undefined);
  const ownRules = rules.filter(rule => rule.framework === framework);
  return (
    <section className="card padded transition" aria-label={`Transition to ${name}`}>
      <h2>{name}</h2>
      {rules.length === 0 ? <p className="subtle">No rules yet. Every issue can get this status.</p> : null}
      <ul className="rules">
        {rules.map(rule => (
          <li key={rule.id}>
            <RuleLine
              projectKey={projectKey}
              rule={rule}
              isOwn={ownRules.includes(rule)}
              isEdited={form !== undefined && 'rule' in form && form.rule.id === rule.id}
              edit={() => setForm({ rule })}
            />
          </li>
        ))}
      </ul>
      {form && 'rule' in form ? (
        <RuleForm
          key={form.rule.id}
          place="rule-edit"
          moduleKey={form.rule.moduleKey}
          rule={form.rule.id}
          save={config => configureRule(projectKey, form.rule.id, config)}
          close={close}
        />
      ) : null}
      {form && 'module' in form ? (
        <RuleForm
          key={form.module.key}
          place="rule-create"
          moduleKey={form.module.key}
          save={config => addRule(projectKey, { ...ruleOf(form.module), transitionId: id, config })}
          close={close}
        />
      ) : null}
      {form ? null : (
        <Modules place="rule-create" about={nothing} quiet>
          {modules => (
            <div className="buttons">
              {modules.map(module => (
                <button
                  key={idOf(module)}
                  type="button"
                  className="button"
                  title={module.rule?.description}
                  onClick={() => setForm({ module })}
                >
                  Add {module.rule?.kind}: {module.name}
                </button>
              ))}
            </div>
          )}
        </Modules>
      )}
    </section>
  );
}

const nothing = {};

const ruleOf = ({ rule, framework, addonKey, key }: HostModule) => ({
  ...{ kind: rule?.kind ?? 'validator', framework, addonKey, moduleKey: key },
});

interface RuleLineProps {
  projectKey: string;
  rule: HostRule;
  /** Of the framework whose frames are shown. */
  isOwn: boolean;
  isEdited: boolean;
  edit(): void;
}

function RuleLine({ projectKey, rule, isOwn, isEdited, edit }: RuleLineProps) {
  const remove = useMutation({ mutationFn: () => removeRule(projectKey, rule.id) });
  const kind = rule.kind === 'validator' ? 'Validator' : 'Condition';
  return (
    <section aria-label={kind} className="rule">
      <h3>
        {kind} <span className="subtle">{rule.framework === 'forge' ? 'Forge' : 'Connect'}</span>
      </h3>
      <p>{rule.summary}</p>
      {isOwn && !isEdited ? <RuleSummary rule={rule} /> : null}
      {isOwn ? null : (
        <p className="subtle">
          To see this rule, switch the app pages to {rule.framework === 'forge' ? 'Forge' : 'Connect'}.
        </p>
      )}
      <div className="buttons">
        {isOwn && !isEdited ? (
          <button type="button" className="button" onClick={edit}>
            Edit
          </button>
        ) : null}
        <button type="button" className="button" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </button>
      </div>
      {remove.error ? (
        <Message kind="error" title="We couldn't remove the rule.">
          {remove.error.message}
        </Message>
      ) : null}
    </section>
  );
}

/** The app's own summary. Its frame is mounted anew when the configuration has changed. */
function RuleSummary({ rule: { id, config, moduleKey } }: { rule: HostRule }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another configuration is another address.
  const about = useMemo(() => ({ rule: id }), [id, config]);
  return (
    <Modules key={config} place="rule-view" about={about} moduleKey={moduleKey}>
      {([module], retry) =>
        module ? <Frame module={module} place="rule-view" about={about} retry={retry} /> : <Missing />
      }
    </Modules>
  );
}

interface RuleFormProps {
  place: 'rule-create' | 'rule-edit';
  moduleKey: string;
  rule?: string;
  save(config: string): Promise<void>;
  close(): void;
}

/** The app's page that configures a rule. The tracker's buttons save it. */
function RuleForm({ place, moduleKey, rule, save, close }: RuleFormProps) {
  const about = useMemo(() => (rule === undefined ? {} : { rule }), [rule]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const saving = useMutation({
    mutationFn: async () => {
      const config = await readOpenRule();
      // The app's page names the missing values.
      if (config === undefined) return;
      await save(config);
      close();
    },
  });
  return (
    <section
      className="rule-form"
      data-answered={saving.isSuccess ? saving.submittedAt : undefined}
      aria-label={rule === undefined ? 'New rule' : 'Edit rule'}
    >
      <h3 ref={heading} tabIndex={-1}>
        {rule === undefined ? 'New rule' : 'Edit rule'}
      </h3>
      <Modules place={place} about={about} moduleKey={moduleKey}>
        {([module], retry) =>
          module ? <Frame module={module} place={place} about={about} retry={retry} /> : <Missing />
        }
      </Modules>
      {saving.error ? (
        <Message kind="error" title="We couldn't save the rule.">
          {saving.error.message}
        </Message>
      ) : null}
      <div className="buttons">
        <button
          type="button"
          className="button"
          data-primary
          disabled={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {rule === undefined ? 'Add rule' : 'Save rule'}
        </button>
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
      </div>
    </section>
  );
}
