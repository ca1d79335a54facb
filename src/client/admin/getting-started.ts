import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';

/** What a new site is shown first: how far it is already. */
export const getGettingStarted = operation(
  graphql('query getGettingStarted { gettingStarted { hasChecklist hasTemplate templateId templateName } }'),
  v.object({
    gettingStarted: v.object({
      hasChecklist: v.boolean(),
      hasTemplate: v.boolean(),
      /** The template that the site starts with, if it chose one that is still there. */
      templateId: v.nullable(v.string()),
      templateName: v.nullable(v.string()),
    }),
  }),
);
