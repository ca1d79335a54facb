import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ChecklistChange } from '../../src/domain/change.ts';
import { edition } from '../../src/domain/edition.ts';
import type { Programs } from './programs.ts';

/** A session at the app's server for a frame around this issue, as the page's user. */
export async function session({ tracker, addon }: Programs, page: Page, issueKey: string): Promise<string> {
  const context = await page.request.get(`${tracker.url}/host/context-token?issueKey=${issueKey}`);
  const headers = { 'app-key': edition.key, authorization: `JWT ${await context.text()}` };
  const answer = await page.request.get(`${addon.url}/api/jira/auth`, { headers });
  expect(answer.status()).toBe(200);
  return (await answer.json()).token;
}

/** The server's answer to a query of that session. */
export async function graphql({ addon }: Programs, page: Page, token: string, query: string, variables: object) {
  const headers = { authorization: `JWT ${token}` };
  const data = { query, variables };
  return (await page.request.post(`${addon.url}/graphql`, { headers, data })).json();
}

/** An issue's id and a session there, for each page: polls read the checklist alone. */
const opened = new WeakMap<Page, Map<string, Promise<{ id: string; token: string }>>>();

function openIssue(programs: Programs, page: Page, issueKey: string): Promise<{ id: string; token: string }> {
  const issues = opened.get(page) ?? new Map();
  opened.set(page, issues);
  const url = `${programs.tracker.url}/rest/api/2/issue/${issueKey}?fields=summary`;
  const begin = async () => {
    const [answer, token] = await Promise.all([page.request.get(url), session(programs, page, issueKey)]);
    return { id: String((await answer.json()).id), token };
  };
  const known = issues.get(url) ?? begin();
  issues.set(url, known);
  return known;
}

/** An issue's id, and its checklist as the server has it; `text` is without trailing line breaks. */
export async function storedChecklist(programs: Programs, page: Page, issueKey: string) {
  const document = 'query ($id: ID!) { checklist(issueId: $id) { text } }';
  const read = async () => {
    const { id, token } = await openIssue(programs, page, issueKey);
    const { data } = await graphql(programs, page, token, document, { id });
    return { id, whole: String(data.checklist.text) };
  };
  // The session may have ended.
  const { id, whole } = await read().catch(() => {
    opened.delete(page);
    return read();
  });
  return { id, whole, text: whole.trimEnd() };
}

/** Replaces the issue's checklist, based on `seen`, or on whatever the server has. */
export async function writeChecklist(
  programs: Programs,
  page: Page,
  issueKey: string,
  text: string,
  seen?: string,
): Promise<void> {
  const now = await storedChecklist(programs, page, issueKey);
  const base = { epoch: '', seq: 0, hash: '', text: seen ?? now.text };
  const change = { kind: 'updateChecklistFromText', text } as const;
  const { token } = await openIssue(programs, page, issueKey);
  expect(await sendChange(programs, page, token, { issueId: now.id, base, change })).toMatchObject({ errors: [] });
}

/** Sends a change as the client does, and returns the server's answer. */
export async function sendChange(
  programs: Programs,
  page: Page,
  token: string,
  sent: { issueId: string; base: object; change: ChecklistChange },
) {
  const document = `mutation ($input: ChangeChecklistInput!) {
    changeChecklist(input: $input) { issueKey checklist { text } errors { code message } }
  }`;
  const input = { clientId: randomUUID(), ...sent };
  const { data, errors } = await graphql(programs, page, token, document, { input });
  expect(errors).toBeUndefined();
  return data.changeChecklist;
}

/** Shows customers of a service project the sections that are marked for them, as an administrator. */
export async function showSectionsToCustomers(programs: Programs, admin: Page, projectKey: string): Promise<void> {
  const project = await admin.request.get(`${programs.tracker.url}/rest/api/3/project/${projectKey}`);
  const { id: projectId } = await project.json();
  const query =
    'mutation ($input: UpdateProjectSettingsInput!) { updateProjectSettings(input: $input) { errors { code } } }';
  const token = await session(programs, admin, `${projectKey}-1`);
  const { data } = await graphql(programs, admin, token, query, { input: { projectId, portal: 'SECTIONS' } });
  expect(data.updateProjectSettings.errors).toEqual([]);
}
