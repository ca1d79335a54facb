import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import type { Tracker } from './client.ts';

const taskShape = v.object({ status: v.pipe(v.string(), v.regex(/^[A-Z_]{1,30}$/)) });

/** The path of the platform's task that moves the data of a field of Connect to Forge. */
export const fieldMovePath = (connectKey: string, field: string): string =>
  `/rest/atlassian-connect/1/migration/${connectKey}/${encodeURIComponent(field)}/task`;

/** The state of the task, in the platform's words; `NONE` if there is no task, `REFUSED` if the app may not read it. */
export async function readFieldMove(tracker: Tracker, connectKey: string, field: string): Promise<string> {
  const answer = await tracker({ name: 'readFieldMove', method: 'GET', path: fieldMovePath(connectKey, field) });
  if (answer.status === 404) return 'NONE';
  if (answer.status >= 400) return 'REFUSED';
  return parseAs(taskShape, answer.body).status;
}
