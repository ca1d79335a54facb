import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';

/** What a new site is shown first: how far it is already. */
export const getGettingStarted = operation(
  graphql('query getGettingStarted { gettingStarted { hasChecklist hasTemplate } }'),
  v.object({
    gettingStarted: v.object({
      hasChecklist: v.boolean(),
      hasTemplate: v.boolean(),
    }),
  }),
);
