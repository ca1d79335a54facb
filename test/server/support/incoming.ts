import type { Store } from '../../../src/server/store/store.ts';
import { startApp, type TestApp } from './app.ts';
import { add, EDITOR, type IssueWork, newIssue } from './checklists.ts';
import { signatureOf } from './receiver.ts';
import { webhooksAs } from './webhooks.ts';

export const TEXT = '# Release\n- tag\n- ! tell support\n# After\n- tag\n+ archive';
export const ALL = ['addItems', 'applyTemplate', 'setStatus', 'complete', 'clear'];

interface Sent {
  webhook?: string;
  secret?: string;
  headers?: Record<string, string>;
  signed?: boolean;
  app?: TestApp;
}

/** An incoming webhook of all actions, and an issue with the text above that it may change. */
export interface Incoming {
  it: TestApp;
  issue: IssueWork;
  hook: { id: string; secret: string };
  hooks(): ReturnType<typeof webhooksAs>;
  /** Makes another webhook. */
  made(values?: Record<string, unknown>): ReturnType<ReturnType<typeof webhooksAs>['made']>;
  /** Calls a webhook, the first one by default. */
  post(payload: unknown, sent?: Sent): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** The payload of an action on the issue. */
  call(action: string, more?: Record<string, unknown>): object;
  /** The issue's text. */
  text(): Promise<string>;
}

export const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });

export async function startIncoming(store: Store): Promise<Incoming> {
  const it = await startApp(store);
  it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
  const issue = await newIssue(it);
  await issue.edit(add(TEXT));
  const hooks = () => webhooksAs(it, 'admin');
  const made = (values: Record<string, unknown> = {}) =>
    hooks().made({ direction: 'INCOMING', name: 'Deploy', actions: ALL, ...values });
  const hook = await made();
  return {
    ...{ it, issue, hook, hooks, made },
    async post(payload, { webhook = hook.id, secret = hook.secret, headers, signed, app = it } = {}) {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
      const proof = signed
        ? { 'smart-checklist-signature': signatureOf(secret, body) }
        : { authorization: `Bearer ${secret}` };
      const answer = await app.app.inject({
        method: 'POST',
        url: `/hooks/${webhook}`,
        headers: { 'content-type': 'application/json', ...(headers ?? proof) },
        payload: body,
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    call: (action, more = {}) => ({ action, issue: issue.id, ...more }),
    text: async () => (await issue.read()).text,
  };
}
