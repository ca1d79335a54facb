import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { answerByPromise, callerOf } from './call.ts';

const optionsShape = v.object({
  url: v.string(),
  type: v.optional(v.string(), 'GET'),
  data: v.optional(v.string()),
  contentType: v.optional(v.string()),
  headers: v.optional(v.record(v.string(), v.string()), {}),
});

/**
 * Handles `AP.request`: calls the REST API as the visitor. The header names the add-on, so that the server checks its
 * scopes. Resolves for every answer; rejects when there is none.
 */
export const request = answerByPromise(async (...given) => {
  const { url, type, data, contentType, headers } = parseAs(optionsShape, given[0]);
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
