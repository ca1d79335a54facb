import * as z from 'zod';
import { ADDON_KEY, type ChaosSite, cookieOf } from './site.ts';

/** Calls of the add-on's API, as made by its frames. */

const checklist = z.object({
  epoch: z.string(),
  seq: z.number(),
  hash: z.string(),
  text: z.string(),
});
export type View = z.infer<typeof checklist>;

const payload = z.object({
  checklist: checklist.nullable(),
  conflicts: z.array(z.object({ row: z.string(), attribute: z.string() })),
  issueKey: z.string().nullable(),
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
});
const answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

const VIEW = 'epoch seq hash text';

export type Outcome =
  | { kind: 'done'; view: View; conflicts: { row: string; attribute: string }[]; issueKey: string | null }
  | { kind: 'refused'; code: string; message: string }
  /** No answer, or none about the change: it is sent again. */
  | { kind: 'open'; why: string };

/** A user's session at the add-on, by the real handshake. */
export interface Session {
  read(issue: string, url: string): Promise<View | undefined>;
  send(input: Record<string, unknown>, url: string): Promise<Outcome>;
  /** `data` of any other document, or the reason why there is none. */
  ask(url: string, document: string, variables?: Record<string, unknown>): Promise<Record<string, unknown> | string>;
}

export function createSession({ trackerUrl }: Pick<ChaosSite, 'trackerUrl'>, account: string): Session {
  let token: string | undefined;

  async function signIn(url: string): Promise<string> {
    const context = await fetch(`${trackerUrl}/host/context-token?issueKey=WEB-1`, { headers: cookieOf(account) });
    const authorization = `JWT ${await context.text()}`;
    const given = await fetch(`${url}/api/jira/auth`, { headers: { 'app-key': ADDON_KEY, authorization } });
    if (!given.ok) throw new Error(`handshake ${given.status}`);
    return z.object({ token: z.string() }).parse(await given.json()).token;
  }

  async function ask(url: string, query: string, variables: Record<string, unknown> = {}) {
    try {
      token ??= await signIn(url);
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(120_000),
      });
      if (response.status === 401) token = undefined;
      if (!response.ok && response.status !== 400) return `status ${response.status}`;
      const { data, errors } = answer.parse(await response.json());
      return data ?? `error ${errors?.[0]?.message ?? response.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error && 'code' in cause ? `connection ${String(cause.code)}` : 'connection';
    }
  }

  return {
    ask,
    async read(issue, url) {
      const data = await ask(url, `query ($issue: ID!) { checklist(issueId: $issue) { ${VIEW} } }`, { issue });
      return typeof data === 'string' ? undefined : checklist.parse(data.checklist);
    },
    async send(input, url) {
      const query = `mutation ($input: ChangeChecklistInput!) { changeChecklist(input: $input) {
        checklist { ${VIEW} } conflicts { row attribute } issueKey errors { code message }
      } }`;
      const data = await ask(url, query, { input });
      if (typeof data === 'string') return { kind: 'open', why: data };
      const { checklist: view, conflicts, issueKey, errors } = payload.parse(data.changeChecklist);
      if (view) return { kind: 'done', view, conflicts, issueKey };
      const [{ code, message } = { code: 'NOTHING', message: '' }] = errors;
      return code.startsWith('TRACKER_') ? { kind: 'open', why: code } : { kind: 'refused', code, message };
    },
  };
}
