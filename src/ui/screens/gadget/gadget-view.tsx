import { useId } from 'react';
import * as v from 'valibot';
import {
  byPerson,
  type IssueProgress,
  MAX_ISSUES,
  overdueItems,
  type PersonProgress,
} from '../../../client/tracker/issue-progress.ts';
import { dayWords } from '../../../domain/days.ts';
import { issuePath } from '../../../domain/pages.ts';
import { personName } from '../../../domain/person.ts';
import { readAs } from '../../../domain/shape.ts';
import { usePeople } from '../../model/people.tsx';
import { useToday } from '../../model/today.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';

/** The groupings that a dashboard's gadget can show. */
export const gadgetGroups = ['issue', 'person', 'overdue'] as const;
export type GadgetGroup = (typeof gadgetGroups)[number];

const gadgetConfig = v.object({
  v: v.literal(1),
  /** A project of the tracker; all of them without one. */
  project: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** A further condition in the tracker's query language. */
  jql: v.pipe(
    v.string(),
    v.maxLength(2000),
    v.transform(jql => jql.trim()),
  ),
  group: v.picklist(gadgetGroups),
});
export type GadgetConfig = v.InferOutput<typeof gadgetConfig>;

export const newGadget: GadgetConfig = { v: 1, project: null, jql: '', group: 'issue' };

export const readGadget = (config: unknown): GadgetConfig | undefined => readAs(gadgetConfig, config);

/** The query for the issues of a gadget. An `or` in the condition stays within it. */
export function gadgetQuery({ project, jql }: GadgetConfig): string {
  const condition = /\bor\b/i.test(jql) ? `(${jql})` : jql;
  const clauses = [project && `project = ${project.id}`, condition, 'checklistItems > 0'];
  return `${clauses.filter(Boolean).join(' AND ')} ORDER BY created DESC`;
}

interface Props {
  group: GadgetGroup;
  issues: readonly IssueProgress[];
  hasMore: boolean;
}

/** The issues of a gadget in its grouping. */
export function GadgetView({ group, issues, hasMore }: Props) {
  return (
    <>
      {group === 'issue' ? <ByIssue issues={issues} /> : null}
      {group === 'person' ? <ByPerson issues={issues} /> : null}
      {group === 'overdue' ? <Overdue issues={issues} /> : null}
      {hasMore ? (
        <p className="form-hint">Only the newest {MAX_ISSUES} issues are counted. Narrow the filter to count others.</p>
      ) : null}
    </>
  );
}

/** A bar with its figures: `3 of 7 done`. */
function Bar({ done, total }: { done: number; total: number }) {
  const words = `${done} of ${total} done`;
  return (
    <span className="gadget-bar">
      <progress value={done} max={Math.max(total, 1)} aria-label={words} />
      <span aria-hidden="true">
        {done}/{total}
      </span>
    </span>
  );
}

const Empty = ({ children }: { children: string }) => <p className="gadget-empty">{children}</p>;

function ByIssue({ issues }: { issues: readonly IssueProgress[] }) {
  if (issues.length === 0)
    return (
      <>
        <Empty>No matching issue has a checklist. Change the filter, or add items to an issue.</Empty>
        <p className="form-hint">
          Missing checklists? A project administrator can repair copies in the project settings.
        </p>
      </>
    );
  return (
    <Table columns={['Issue', 'Progress', 'Open mandatory items']}>
      {issues.map(({ key, summary, progress }) => (
        <tr key={key}>
          <th scope="row">
            <TrackerLink path={issuePath(key)}>{key}</TrackerLink> <span dir="auto">{summary}</span>
          </th>
          <td>
            <Bar done={progress.checked} total={progress.total} />
          </td>
          <td>{progress.mandatoryOpen}</td>
        </tr>
      ))}
    </Table>
  );
}

function ByPerson({ issues }: { issues: readonly IssueProgress[] }) {
  const today = useToday();
  const people = byPerson(issues, today);
  if (people.length === 0)
    return <Empty>No items on matching issues are assigned. Assign items, or change the filter.</Empty>;
  return <People people={people} />;
}

function People({ people }: { people: readonly PersonProgress[] }) {
  const names = usePeople(people.map(({ accountId }) => accountId));
  return (
    <Table columns={['Person', 'Progress', 'Overdue items']}>
      {people.map(({ accountId, done, total, overdue }) => (
        <tr key={accountId}>
          <th scope="row" dir="auto">
            {personName(names.get(accountId))}
          </th>
          <td>
            <Bar done={done} total={total} />
          </td>
          <td>{overdue}</td>
        </tr>
      ))}
    </Table>
  );
}

function Overdue({ issues }: { issues: readonly IssueProgress[] }) {
  const today = useToday();
  const items = overdueItems(issues, today);
  const names = usePeople([...new Set(items.flatMap(({ assignee }) => assignee ?? []))]);
  if (items.length === 0) return <Empty>No items on matching issues are overdue.</Empty>;
  return (
    <Table columns={['Due date', 'Item', 'Issue', 'Assignee']}>
      {items.map(({ key, words, dueDate, assignee }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one issue may be equal, and have no state.
        <tr key={`${key} ${index}`}>
          <td>{dayWords(dueDate, today)}</td>
          <th scope="row" dir="auto">
            {words}
          </th>
          <td>
            <TrackerLink path={issuePath(key)}>{key}</TrackerLink>
          </td>
          <td dir="auto">{assignee === undefined ? '' : personName(names.get(assignee))}</td>
        </tr>
      ))}
    </Table>
  );
}

function Table({ columns, children }: { columns: readonly string[]; children: React.ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keyboard, too.
    <section className="page-table gadget-table" aria-labelledby={id} tabIndex={0}>
      <table>
        <caption id={id} className="check-hidden">
          Checklist progress
        </caption>
        <thead>
          <tr>
            {columns.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
