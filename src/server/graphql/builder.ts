import SchemaBuilder from '@pothos/core';
import type { Checklists } from '../checklists/types.ts';

/** What every resolver gets: the caller's checklists and what the server switched on. */
export interface GraphContext {
  checklists: Checklists;
  featureFlags: Readonly<Record<string, boolean>>;
}

/** Values of the JSON scalar. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export const builder = new SchemaBuilder<{
  Context: GraphContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: true;
  Scalars: {
    ID: { Input: string; Output: string };
    JSON: { Input: never; Output: Json };
  };
}>({ defaultFieldNullability: false, defaultInputFieldRequiredness: true });
