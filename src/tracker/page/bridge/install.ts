import type { Callback, DialogProvider, FlagProvider } from 'atlassian-connect-js';
import cookie from 'atlassian-connect-js-cookie';
import { refreshIssue } from '../data/client.ts';
import { context } from './context.ts';
import { dialogProvider } from './dialogs.ts';
import { flagProvider } from './flags.ts';
import { addonProvider, frames } from './frames.ts';
import { addonHistory } from './history.ts';
import { connectHost } from './host.ts';
import { navigator } from './navigator.ts';
import { request } from './request.ts';
import { user } from './user.ts';
import { workflowConfiguration } from './workflow.ts';

const provide = (name: string, provider: DialogProvider | FlagProvider) =>
  connectHost.getFrameworkAdaptor().registerModule({
    getModuleRegistrationName: () => name,
    isEnabled: () => true,
    getProvider: () => provider,
  });

/** Adds the product's modules to the vendor's bridge. Once, before the first frame: later modules are invisible. */
export function installBridge(): void {
  // Globals of `AP`. Never also a module named `request`: the two would collide in the frame.
  connectHost.defineModule({
    request,
    getLocation: (callback: Callback) => callback(location.href),
    sizeToParent: () => undefined,
    hideFooter: () => undefined,
  });
  connectHost.defineModule('context', context);
  connectHost.defineModule('cookie', cookie);
  connectHost.defineModule('history', addonHistory);
  connectHost.defineModule('jira', { refreshIssuePage: refreshIssue, ...workflowConfiguration });
  connectHost.defineModule('navigator', navigator);
  connectHost.defineModule('user', user);
  provide('dialog', dialogProvider);
  provide('flag', flagProvider);
  connectHost.registerProvider('addon', addonProvider);
  connectHost.onIframeEstablished(({ extension }) => frames.get(extension.id)?.onEstablished());
}
