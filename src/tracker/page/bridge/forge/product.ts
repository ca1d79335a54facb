import * as z from 'zod/mini';

const callShape = z.object({
  product: z.literal('jira'),
  restPath: z.string(),
  fetchRequestInit: z.object({
    method: z.optional(z.string()),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.nullish(z.string()),
  }),
  isMultipartFormData: z.literal(false),
});

/**
 * Handles `requestJira`: calls the REST API as the visitor. The header names the app, so that the server checks its
 * scopes. Resolves for every answer; rejects when there is none.
 */
export async function fetchProduct(appId: string, payload: unknown) {
  const { restPath, fetchRequestInit } = callShape.parse(payload);
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
