import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useFramework } from '../app/frames.ts';
import { useSite } from '../app/site.ts';
import { publishIssueChanged } from '../bridge/forge/events.ts';
import { issueQuery } from './queries.ts';

/** An issue as the visitor sees it. Notifies Forge frames of its changes. */
export function useIssue(issueKey: string) {
  const { user } = useSite();
  const answer = useQuery(issueQuery(user.accountId, issueKey, useFramework()));
  const issue = answer.data;
  const seenVersion = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!issue) return;
    const { id, project, updated, updatedBy } = issue;
    if (seenVersion.current?.startsWith(`${id} `) && seenVersion.current !== `${id} ${updated}`)
      publishIssueChanged(id, project.id, updatedBy);
    seenVersion.current = `${id} ${updated}`;
  }, [issue]);
  return answer;
}
