import * as v from 'valibot';
import type { HostContext } from '../../bridge/bridge.ts';
import type { IssueRef } from '../../client/reading.ts';
import { readAs } from '../../domain/shape.ts';

const handed = v.object({ issueId: v.string(), issueKey: v.string() });

/** Which issue the editor is about: what its address says, else what its opener handed over. */
export function issueOf({ issueId, issueKey, dialogData }: HostContext): IssueRef | undefined {
  if (issueId !== undefined && issueKey !== undefined) return { issueId, issueKey };
  return readAs(handed, dialogData);
}
