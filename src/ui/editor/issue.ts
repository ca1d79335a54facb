import * as z from 'zod/mini';
import type { HostContext } from '../../bridge/bridge.ts';
import type { IssueRef } from '../../client/reading.ts';

const handed = z.object({ issueId: z.string(), issueKey: z.string() });

/** Which issue the editor is about: what its address says, else what its opener handed over. */
export function issueOf({ issueId, issueKey, dialogData }: HostContext): IssueRef | undefined {
  if (issueId !== undefined && issueKey !== undefined) return { issueId, issueKey };
  return handed.safeParse(dialogData).data;
}
