import type { Callback } from 'atlassian-connect-js';
import { go } from '../app/address.ts';
import { callbackOf, callerOf } from './call.ts';
import { structuredContextOf } from './context.ts';
import { addressOf } from './destination.ts';
import { closeDialogs } from './dialogs.ts';

/** `AP.navigator`. */
export const navigator = {
  go(target: unknown, details: unknown, _callback: Callback) {
    const address = addressOf(target, details);
    if (address === undefined) throw new Error(`AP.navigator.go: there is no page for ${JSON.stringify(target)}.`);
    // Navigation closes the page's dialogs, also from within one.
    closeDialogs();
    go(address);
  },
  reload: () => location.reload(),
  getLocation(...given: unknown[]) {
    const { issue, project } = structuredContextOf(callerOf(given)).jira;
    const details = {
      ...(issue && { issueKey: issue.key, issueId: issue.id }),
      ...(project && { projectKey: project.key }),
    };
    callbackOf(given)({ target: issue ? 'issueview' : 'addonmodule', context: details });
  },
};
