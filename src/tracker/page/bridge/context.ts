import type { Caller } from 'atlassian-connect-js';
import * as v from 'valibot';
import { parseAs } from '../../../domain/shape.ts';
import { contextShape } from '../../wire/modules.ts';
import { getText } from '../data/fetch.ts';
import type { About } from '../data/queries.ts';
import { aboutQuery } from '../data/queries.ts';
import { answerByPromise, callerOf } from './call.ts';

const optionsShape = v.object({ structuredContext: contextShape });

/** The context of a mounted frame. */
export const structuredContextOf = ({ extension }: Caller) =>
  parseAs(optionsShape, extension.options).structuredContext;

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
  getContext: answerByPromise(async (...given) => structuredContextOf(callerOf(given))),
  getToken: answerByPromise((...given) => getText(`/host/context-token?${aboutQuery(aboutOf(callerOf(given)))}`)),
};
