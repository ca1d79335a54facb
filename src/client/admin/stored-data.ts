import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';
import { jobFields, jobShape } from './inherit.ts';

const refusedShape = v.object({ copy: v.string(), reason: v.string(), issues: v.number() });
export type RefusedCopies = v.InferOutput<typeof refusedShape>;

/** Counts of a site's stored data that waits, and the site's last jobs. */
export const getStoredData = operation(
  graphql(`query getStoredData {
    storedData { stale refused { copy reason issues } }
    jobs(scope: {}) { kind ${jobFields} }
  }`),
  v.object({
    storedData: v.object({ stale: v.number(), refused: v.array(refusedShape) }),
    jobs: v.array(v.object({ kind: v.string(), ...jobShape.entries })),
  }),
);

export const checkStoredData = operation(
  graphql(`mutation checkStoredData { checkStoredData(input: {}) { job { ${jobFields} } ${answerFields} } }`),
  v.object({ checkStoredData: v.object({ job: v.nullable(jobShape), ...answerShape }) }),
);
