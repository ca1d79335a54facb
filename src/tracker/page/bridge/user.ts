import type { Callback } from 'atlassian-connect-js';
import * as v from 'valibot';
import { getJson } from '../data/fetch.ts';
import { answerByPromise } from './call.ts';

const myselfShape = v.object({ accountId: v.string() });

/** `AP.user`. */
export const user = {
  getCurrentUser: answerByPromise(async () => {
    const { accountId } = await getJson('/rest/api/2/myself', myselfShape);
    return { atlassianAccountId: accountId };
  }),
  getLocale: (callback: Callback) => callback('en_US'),
  getTimeZone: (callback: Callback) => callback(Intl.DateTimeFormat().resolvedOptions().timeZone),
};
