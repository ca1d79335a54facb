import * as z from 'zod/mini';
import { answering, callerOf } from './call.ts';

const optionsShape = z.object({
  url: z.string(),
  type: z._default(z.string(), 'GET'),
  data: z.optional(z.string()),
  contentType: z.optional(z.string()),
  headers: z._default(z.record(z.string(), z.string()), {}),
});

/**
 * Handles `AP.request`: calls the REST API as the visitor. The header names the add-on, so that the server checks its
 * scopes. Resolves for every answer; rejects when there is none.
 */
export const request = answering(async (...given) => {
  const { url, type, data, contentType, headers } = optionsShape.parse(given[0]);
  const target = new URL(url, location.origin);
  if (target.origin !== location.origin || !target.pathname.startsWith('/rest/')) {
    throw new Error('AP.request reaches the REST API of this site only.');
  }
  const response = await fetch(target, {
    method: type,
    headers: {
      ...headers,
      ...(contentType && { 'content-type': contentType }),
      'ap-app-key': callerOf(given).extension.addon_key,
    },
    ...(data !== undefined && { body: data }),
  });
  const body = await response.text();
  return {
    ok: response.ok,
    body,
    xhr: {
      status: response.status,
      statusText: response.statusText,
      responseText: body,
      headers: Object.fromEntries(response.headers),
    },
  };
});
