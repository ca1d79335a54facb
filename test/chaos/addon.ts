import * as v from 'valibot';
import { ADDON_KEY, type ChaosSite, cookieOf } from './site.ts';

/** Calls of the add-on's API, as made by its frames. */

const checklist = v.object({
  epoch: v.string(),
  seq: v.number(),
  hash: v.string(),
  text: v.string(),
});
export type View = v.InferOutput<typeof checklist>;

const payload = v.object({
  checklist: v.nullable(checklist),
  conflicts: v.array(v.object({ row: v.string(), attribute: v.string() })),
  issueKey: v.nullable(v.string()),
  errors: v.array(v.object({ code: v.string(), message: v.string() })),
});
const answer = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  errors: v.optional(v.array(v.object({ message: v.string() }))),
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
    return v.parse(v.object({ token: v.string() }), await given.json()).token;
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
      const { data, errors } = v.parse(answer, await response.json());
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
      return typeof data === 'string' ? undefined : v.parse(checklist, data.checklist);
    },
    async send(input, url) {
      const query = `mutation ($input: ChangeChecklistInput!) { changeChecklist(input: $input) {
        checklist { ${VIEW} } conflicts { row attribute } issueKey errors { code message }
      } }`;
      const data = await ask(url, query, { input });
      if (typeof data === 'string') return { kind: 'open', why: data };
      const { checklist: view, conflicts, issueKey, errors } = v.parse(payload, data.changeChecklist);
      if (view) return { kind: 'done', view, conflicts, issueKey };
      const [{ code, message } = { code: 'NOTHING', message: '' }] = errors;
      return code.startsWith('TRACKER_') ? { kind: 'open', why: code } : { kind: 'refused', code, message };
    },
  };
}
