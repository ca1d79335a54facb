import * as v from 'valibot';
import { edition } from '../../../domain/edition.ts';
import { readAs } from '../../../domain/shape.ts';
import { TokenRefused, TrackerUnavailable } from '../../errors/tracker.ts';
import { isClientKey } from '../tenants.ts';
import type { Tracker } from '../tracker/client.ts';

/** The add-on property with the site's client key under Connect, for a Forge app. */
const PROPERTY = 'connect_client_key_019cdff3-8bfb-71fe-9628-875b700aebb8';
export const CLIENT_KEY_PATH = `/rest/atlassian-connect/1/addons/${edition.key}/properties/${PROPERTY}`;

const shape = v.object({ value: v.custom<string>(isClientKey, 'Expected a client key') });

/**
 * Reads the client key of the site's Connect app; `none` if there was none, `refused` if the app has no
 * permission: its listing never had a Connect app, or it was installed just now. Rejects with `TrackerUnavailable`
 * otherwise.
 */
export async function readClientKey(tracker: Tracker): Promise<{ key: string } | 'none' | 'refused'> {
  try {
    const { status, body } = await tracker({ name: 'readClientKey', method: 'GET', path: CLIENT_KEY_PATH });
    if (status === 404) return 'none';
    if (status === 401 || status === 403) return 'refused';
    const parsedBody = readAs(shape, body);
    if (status !== 200 || !parsedBody) throw new TrackerUnavailable(`readClientKey: ${status}`);
    return { key: parsedBody.value };
  } catch (error) {
    if (error instanceof TokenRefused) return 'refused';
    throw error;
  }
}
