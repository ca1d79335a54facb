import type { Caller } from 'atlassian-connect-js';
import * as z from 'zod/mini';
import { getText } from '../data/fetch.ts';
import { aboutQuery } from '../data/queries.ts';
import { type About, contextShape } from '../data/shapes.ts';
import { answering, callerOf } from './call.ts';

const optionsShape = z.object({ structuredContext: contextShape });

/** The context of a mounted frame. */
export const structuredContextOf = ({ extension }: Caller) => optionsShape.parse(extension.options).structuredContext;

export function aboutOf(caller: Caller): About {
  const { issue, project } = structuredContextOf(caller).jira;
  return {
    addonKey: caller.extension.addon_key,
    ...(issue && { issueKey: issue.key }),
    ...(project && { projectKey: project.key }),
  };
}

/** `AP.context`. */
export const context = {
  getContext: answering(async (...given) => structuredContextOf(callerOf(given))),
  getToken: answering((...given) => getText(`/host/context-token?${aboutQuery(aboutOf(callerOf(given)))}`)),
};
