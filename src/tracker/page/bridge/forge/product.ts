import * as v from 'valibot';
import { parseAs } from '../../../../domain/shape.ts';

const callShape = v.object({
  product: v.literal('jira'),
  restPath: v.string(),
  fetchRequestInit: v.object({
    method: v.optional(v.string()),
    headers: v.array(v.tuple([v.string(), v.string()])),
    body: v.nullish(v.string()),
  }),
  isMultipartFormData: v.literal(false),
});

/**
 * Handles `requestJira`: calls the REST API as the visitor. The header names the app, so that the server checks its
 * scopes. Resolves for every answer; rejects when there is none.
 */
export async function fetchProduct(appId: string, payload: unknown) {
  const { restPath, fetchRequestInit } = parseAs(callShape, payload);
  const target = new URL(restPath, location.origin);
  if (target.origin !== location.origin || !target.pathname.startsWith('/rest/')) {
    throw new Error('requestJira reaches the REST API of this site only.');
  }
  const { method = 'GET', headers, body } = fetchRequestInit;
  const answer = await fetch(target, {
    method,
    headers: [...headers, ['x-forge-app', appId]],
    ...(typeof body === 'string' && body !== '' && { body }),
  });
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
    isAttachment: false,
  };
}
