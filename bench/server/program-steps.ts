import { randomUUID } from 'node:crypto';
import { send } from '../../src/server/platform/tracker/send.ts';
import { labelledText, similarNames } from '../similar-names.ts';
import type { Step } from './text-steps.ts';
import { type ApiSession, patiently } from './users.ts';

/*
 * Requests of programs, in a site with as many statuses of similar names as it can have, about a checklist whose items
 * have labels that no status bears.
 */

const ISSUE = '93001';
const CREATE_STATUS = `mutation ($input: CreateStatusInput!) { createStatus(input: $input) { errors { message } } }`;
const CREATE_TOKEN = `mutation ($input: CreateApiTokenInput!) {
  createApiToken(input: $input) { secret errors { message } }
}`;

interface Payload {
  errors: { message: string }[] | null;
}

function checked<T extends Payload>(payload: T): T {
  if (payload.errors?.length) throw new Error(payload.errors[0]?.message);
  return payload;
}

/** The requests; the site is filled before the first of them. `session` is one that administers the site. */
export function programSteps(session: () => ApiSession, server: { url: string }): Record<string, Step> {
  let secret: Promise<string> | undefined;
  let number = 0;

  async function post(token: string, body: object): Promise<void> {
    const answer = await send(new URL(`/api/v1/issues/${ISSUE}/checklist/changes`, server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '*' },
      body: JSON.stringify(body),
      time: 60_000,
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  async function fill(): Promise<string> {
    for (const name of similarNames) {
      const input = { name, color: 'gray', checked: false };
      await patiently(async () => {
        const { createStatus } = await session().graphql<{ createStatus: Payload }>(CREATE_STATUS, { input });
        checked(createStatus);
      });
    }
    const input = { name: randomUUID(), scope: 'WRITE', projectIds: [] };
    const { createApiToken } = await session().graphql<{ createApiToken: Payload & { secret: string } }>(CREATE_TOKEN, {
      input,
    });
    const { secret } = checked(createApiToken);
    const change = { kind: 'updateChecklistFromText', text: `- plain\n${labelledText}` };
    await post(secret, { change, diagnostics: 'report' });
    return secret;
  }

  const token = () => {
    secret ??= fill();
    return secret;
  };
  const tick = () => ({
    kind: 'setItemStatus',
    target: { index: 0, text: 'plain' },
    status: number++ % 2 ? 'todo' : 'done',
  });
  const request = (options: object) => ({
    before: token,
    run: async () => post(await token(), { change: tick(), ...options }),
  });
  return {
    'a dry run on 573 unknown labels, of 270 statuses of similar names': request({ dryRun: true }),
    'a change on 573 unknown labels': request({}),
    'a change on 573 unknown labels, reported': request({ diagnostics: 'report' }),
  };
}
