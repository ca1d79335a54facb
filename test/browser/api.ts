import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import type { Programs } from './programs.ts';

/** Our session for a frame around this issue, as the page's person. */
export async function session({ tracker, addon }: Programs, page: Page, issueKey: string): Promise<string> {
  const context = await page.request.get(`${tracker.url}/host/context-token?issueKey=${issueKey}`);
  const headers = { 'app-key': edition.key, authorization: `JWT ${await context.text()}` };
  const answer = await page.request.get(`${addon.url}/api/jira/auth`, { headers });
  expect(answer.status()).toBe(200);
  return (await answer.json()).token;
}

/** What our server answers to a query of that session. */
export async function graphql({ addon }: Programs, page: Page, token: string, query: string, variables: object) {
  const headers = { authorization: `JWT ${token}` };
  const data = { query, variables };
  return (await page.request.post(`${addon.url}/graphql`, { headers, data })).json();
}
