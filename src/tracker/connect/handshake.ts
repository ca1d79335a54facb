import type { Descriptor } from './descriptor.ts';
import { basePathOf } from './frames.ts';
import { ask } from './http.ts';
import type { InstallKey } from './keys.ts';

/** Sends the signed lifecycle call of an installation or uninstallation. Throws when the add-on refuses. */
export async function callLifecycle(
  event: 'installed' | 'uninstalled',
  {
    descriptor,
    clientKey,
    sharedSecret,
    installKey,
    siteUrl,
  }: {
    descriptor: Descriptor;
    clientKey: string;
    sharedSecret: string;
    installKey: InstallKey;
    siteUrl: string;
  },
): Promise<void> {
  const path = descriptor.lifecycle[event];
  if (path === undefined) return;
  const url = `${descriptor.baseUrl}${path}`;
  const { pathname, search } = new URL(url);
  const token = await installKey.sign({
    clientKey,
    audience: descriptor.baseUrl,
    url: `${pathname}${search}`,
    basePath: basePathOf(descriptor),
  });
  const answer = await ask(url, {
    method: 'POST',
    headers: { authorization: `JWT ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      key: descriptor.key,
      clientKey,
      publicKey: installKey.publicKey,
      // An uninstallation carries no secret.
      ...(event === 'installed' && { sharedSecret }),
      serverVersion: '100300',
      pluginsVersion: '1001.0.0',
      baseUrl: siteUrl,
      displayUrl: siteUrl,
      productType: 'jira',
      description: 'Local tracker for development',
      eventType: event,
    }),
  });
  if (!answer.ok) throw new Error(`The add-on answers ${answer.status} to its ${event} call.`);
}
