import Heading from '@atlaskit/heading';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findIssues } from '../../client/tracker/find-issues.ts';
import { TextInput } from '../kit/form/form.tsx';
import { useDebounced } from '../kit/use-debounced.ts';
import { useBridge } from '../shell/services/services.ts';

/** Milliseconds without a key before a search. */
const PAUSE = 200;

/** A search for the issue whose hierarchy to show, if the tracker opened the page without one. */
export function PickIssue({ onPick }: { onPick(issueKey: string): void }) {
  const bridge = useBridge();
  const [typed, setTyped] = useState('');
  const key = useDebounced(typed.trim().toUpperCase(), PAUSE);
  const found = useQuery({
    queryKey: ['hierarchy', 'issues', key],
    queryFn: ({ signal }) => findIssues(bridge, key, signal),
    enabled: key !== '',
    meta: { silent: true },
  });
  const none = key !== '' && found.data?.length === 0;
  return (
    <main className="check-panel hierarchy-pick">
      <Heading as="h1" size="medium">
        Smart hierarchy
      </Heading>
      <p>See the checklists of an issue, of those above and below it, and of linked ones together.</p>
      <form
        onSubmit={event => {
          event.preventDefault();
          const [first] = found.data ?? [];
          if (first && key === typed.trim().toUpperCase()) onPick(first.key);
        }}
      >
        <TextInput
          label="Issue key"
          value={typed}
          onChange={setTyped}
          autoFocus
          hint="Such as WEB-1"
          error={
            found.isError ? 'Issues could not be looked for. Try again.' : none ? 'No issue has such a key.' : undefined
          }
        />
      </form>
      <ul className="hierarchy-found">
        {(found.data ?? []).map(({ key, name, status }) => (
          <li key={key}>
            <button type="button" onClick={() => onPick(key)}>
              <img className="check-issue-icon" src={status.icon} alt="" /> <strong>{key}</strong>{' '}
              <span dir="auto">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
