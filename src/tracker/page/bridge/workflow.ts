import type { Callback } from 'atlassian-connect-js';
import * as v from 'valibot';
import { readAs, readJson } from '../../../domain/shape.ts';
import { callerOf } from './call.ts';
import { connectHost } from './host.ts';

/*
 * Reads the configuration from the open form of a workflow rule when the user saves, for both frameworks.
 */

/** Resolves with the configuration; `undefined` if the form is not valid. */
type ReadRule = () => Promise<string | undefined>;

let open: ReadRule | undefined;

/** Makes a form the open one. Returns the function that ends this. */
export function offerRule(read: ReadRule): () => void {
  open = read;
  return () => {
    if (open === read) open = undefined;
  };
}

/** The configuration of the open form. Rejects if there is none: the app's page has not loaded. */
export async function readOpenRule(): Promise<string | undefined> {
  if (!open) throw new Error("The app's form isn't loaded yet. Wait a moment, then try again.");
  return open();
}

const answerShape = v.object({ value: v.optional(v.string()) });
/** Resolves what a Connect frame answers to the event, by the frame. */
const waiting = new Map<string, (value: string | undefined) => void>();

/** The host's part of `AP.jira.WorkflowConfiguration` (hostscript.ts). */
export const workflowConfiguration = {
  offerConfiguration: (callback: Callback) => {
    const { extension, extension_id: frame } = callerOf([callback]);
    offerRule(
      () =>
        new Promise(resolve => {
          waiting.set(frame, resolve);
          connectHost.broadcastEvent('workflow-rule-saved', { addon_key: extension.addon_key, key: extension.key });
        }),
    );
  },
  configured: (json: unknown, callback: Callback) => {
    const { extension_id: frame } = callerOf([callback]);
    waiting.get(frame)?.(readAs(answerShape, readJson(String(json)))?.value);
    waiting.delete(frame);
  },
};
