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
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!issue) return;
    const { id, project, updated, updatedBy } = issue;
    if (seen.current?.startsWith(`${id} `) && seen.current !== `${id} ${updated}`)
      publishIssueChanged(id, project.id, updatedBy);
    seen.current = `${id} ${updated}`;
  }, [issue]);
  return answer;
}
