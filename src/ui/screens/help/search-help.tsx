import Button from '@atlaskit/button/new';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createGateNames } from '../../../client/tracker/gate-names.ts';
import { whole } from '../../../domain/messages.ts';
import { builtInStatuses } from '../../../domain/statuses.ts';
import { isBuiltIn } from '../../../text/head.ts';
import { copyText } from '../../kit/copy-and-download.ts';
import { useStatusRegistry } from '../../model/use-statuses.ts';
import { useBridge, useHostContext, useNotify } from '../../shell/services/services.ts';
import { queriesFor, type SearchQuery, searchNames } from './queries.ts';

/** A status of the project's issues, before which work is to be done: "Done", else the last one. */
function useGate(): string {
  const bridge = useBridge();
  const [gates] = useState(() => createGateNames(bridge));
  useEffect(() => gates.request(), [gates]);
  const names = useSyncExternalStore(gates.subscribe, gates.get);
  return (names?.includes('Done') ? undefined : names?.at(-1)) ?? 'Done';
}

/** A query with a button that copies it. */
function Query({ title, jql }: SearchQuery) {
  const notify = useNotify();
  const [copied, setCopied] = useState<string>();
  // Not of an earlier query, before the names of the project were loaded.
  const word = copied === jql ? 'Copied' : 'Copy';
  const copy = async () => {
    const done = await copyText(jql);
    if (done) setCopied(jql);
    else notify(whole.textNotCopied, 'error');
  };
  return (
    <li>
      <h3>{title}</h3>
      <code>{jql}</code>
      <Button spacing="compact" onClick={() => void copy()} aria-label={`${word} query: ${title}`}>
        {word}
      </Button>
    </li>
  );
}

/** How checklists are found by the tracker's search, with queries for this site to copy. */
export function SearchHelp() {
  const { projectKey } = useHostContext();
  const { list } = useStatusRegistry();
  const gate = useGate();
  const itemStatus = (list.find(status => !isBuiltIn(status)) ?? builtInStatuses[1]).name;
  return (
    <>
      <p className="help-intro">
        Jira’s search finds issues by their checklists. Copy a query, open the search for issues, switch to JQL, and
        paste it. Queries work in filters, boards, dashboards and automation, too.
      </p>
      <section className="help-topic">
        <h2>{projectKey === undefined ? 'Queries for this site' : `Queries for project ${projectKey}`}</h2>
        <ul className="help-queries">
          {queriesFor({ projectKey, itemStatus, gate }).map(query => (
            <Query key={query.title} {...query} />
          ))}
        </ul>
      </section>
      <section className="help-topic">
        <h2>Names in queries</h2>
        <dl className="help-names">
          {searchNames.map(({ name, type, words }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {words} <span className="help-type">{type}</span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="help-topic">
        <h2>On boards and in lists</h2>
        <p>
          Add the fields Checklist, Checklist progress and Open mandatory items to a board or a list of issues. They are
          read-only.
        </p>
      </section>
      <section className="help-topic">
        <h2>Missing issues</h2>
        <p>
          Jira finds a new checklist within seconds. A checklist that was imported, or written into the Checklist Text
          field, is found once someone opens the issue. An administrator finds all of them with “Repair copies” in the
          project settings.
        </p>
      </section>
    </>
  );
}
