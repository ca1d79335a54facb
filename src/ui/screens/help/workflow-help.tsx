import { enforcement } from '../../../domain/messages.ts';
import { workflowsPath } from '../../../domain/pages.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useHostContext, useUser } from '../../shell/services/services.ts';
import { Entries } from './entries.tsx';

/** The conditions of a rule, in the words of its form. */
const conditions: readonly { title: string; words: string }[] = [
  { title: 'All mandatory items are done', words: 'Items with ! after the mark. On in a new rule.' },
  { title: 'All items are done', words: 'Skipped items count as done, or as open, as you choose.' },
  { title: 'A percentage of the items is done', words: 'From 1 to 100, rounded down.' },
  { title: 'No open item is overdue', words: 'An item is overdue from the day after its due date.' },
  {
    title: 'Sections with a gate before the target status are done',
    words: 'Headers such as # Release !before:Done. On in a new rule.',
  },
  { title: 'All items of these sections are done', words: 'Sections by name, with the sections in them.' },
  { title: 'No item has any of these statuses', words: 'For example, a custom status such as On hold.' },
];

const kinds: typeof conditions = [
  {
    title: 'Validator',
    words:
      'Blocks the transition, and names what is open: “2 mandatory items are open: Approved by security, Load test”.',
  },
  { title: 'Condition', words: 'Hides the transition while the checklist is open.' },
];

/** Says how to reach a rule: the way for administrators, and whom other users can ask. */
function SetUp() {
  const { canManageTemplates: isAdministrator } = useUser();
  const { projectKey } = useHostContext();
  if (!isAdministrator) return <p>{enforcement.askForRule}</p>;
  return (
    <>
      <ol className="help-steps">
        <li>
          {projectKey === undefined ? (
            'Open the workflows in the settings of a project.'
          ) : (
            <>
              Open the <TrackerLink path={workflowsPath(projectKey)}>{`workflows of ${projectKey}`}</TrackerLink>, and
              edit the workflow. You need the permission to administer Jira.
            </>
          )}
        </li>
        <li>Choose a transition, such as the one to Done.</li>
        <li>Add the rule “Checklist is done” as a validator or a condition, and choose what it checks.</li>
        <li>Publish the workflow.</li>
      </ol>
      <p>The rule applies to the transitions that have it, in all projects with that workflow.</p>
    </>
  );
}

/** Explains the checks of workflow rules, and how to set up a rule. */
export const WorkflowHelp = () => (
  <>
    <p className="help-intro">
      A workflow rule keeps an issue from moving on while its checklist is open. Without a rule, gates and mandatory
      items warn in the panel, and block nothing.
    </p>
    <section className="help-topic">
      <h2>Set up a rule</h2>
      <SetUp />
    </section>
    <section className="help-topic">
      <h2>Validator or condition</h2>
      <Entries entries={kinds} />
    </section>
    <section className="help-topic">
      <h2>What a rule checks</h2>
      <p>All conditions that are on have to hold.</p>
      <Entries entries={conditions} />
    </section>
    <section className="help-topic">
      <h2>When a rule decides</h2>
      <p>
        Jira decides by the copy of the checklist in the issue. A change that matters to a rule is copied at once. You
        choose what happens on an issue without a checklist, and if another app wrote the copy.
      </p>
    </section>
  </>
);
