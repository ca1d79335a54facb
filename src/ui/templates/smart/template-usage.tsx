import type { ListedTemplate } from '../../../client/admin/templates.ts';
import { Answered } from '../../kit/section.tsx';
import { useGo } from '../../shell/navigation/navigation.ts';
import { ruleWords } from '../assignments/rule-text.ts';
import { useWorkflow } from '../assignments/use-assignments.ts';
import { useUsage } from './use-template-views.ts';

interface Props {
  template: ListedTemplate;
  projectId: string | undefined;
}

const nothing = { projects: [], types: [], statuses: [], fields: [] };

/** Where a template is at work: on how many issues, and by which rules. */
export function Usage({ template, projectId }: Props) {
  const usage = useUsage(template.id, projectId);
  const { data: known = nothing } = useWorkflow(template.projectId ?? projectId);
  const go = useGo();
  return (
    <Answered of={usage}>
      {({ issueCount, rules }) => (
        <>
          <p className="smart-figure">
            {issueCount === 0 ? (
              'Not used on any issue yet.'
            ) : (
              <>
                Used on <strong>{issueCount.toLocaleString('en')}</strong> {issueCount === 1 ? 'issue' : 'issues'}.
              </>
            )}
          </p>
          {issueCount > 0 ? (
            <p className="form-hint">
              Issues to which it was added and whose checklist was not cleared or replaced since. What is saved here
              comes to new issues; checklists that are there stay as they are.
            </p>
          ) : null}
          {rules === null ? null : (
            <section aria-label="Rules that add it" className="smart-rules">
              <h2>Rules that add it</h2>
              {rules.length === 0 ? (
                <p className="templates-none">No rule adds it automatically.</p>
              ) : (
                <ul>
                  {rules.map(rule => (
                    <li key={rule.id}>
                      Added {ruleWords(rule, known)}.{rule.enabled ? null : <span className="smart-off">Off</span>}
                    </li>
                  ))}
                </ul>
              )}
              <button type="button" className="templates-link" onClick={() => go('/templates/assignments')}>
                Template assignments
              </button>
            </section>
          )}
        </>
      )}
    </Answered>
  );
}
