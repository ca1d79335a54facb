import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';

export const jobFields = 'id state total seen done failed ended log { issue message }' as const;

export const jobShape = v.object({
  id: v.string(),
  state: v.picklist(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  total: v.nullable(v.number()),
  seen: v.number(),
  done: v.number(),
  failed: v.number(),
  ended: v.nullable(v.string()),
  log: v.array(v.object({ issue: v.nullable(v.string()), message: v.string() })),
});
/** A job over the site. */
export type InheritJob = v.InferOutput<typeof jobShape>;

/** Whether a job has not ended. */
export const isRunning = ({ state }: InheritJob): boolean => state === 'QUEUED' || state === 'RUNNING';

const inheritanceShape = v.nullable(v.object({ ended: v.nullable(v.string()), job: v.nullable(jobShape) }));
export type Inheritance = v.InferOutput<typeof inheritanceShape>;

/** Progress of taking over the predecessor edition's data; `null` where there is none. */
export const getInheritance = operation(
  graphql(`query getInheritance { inheritance { ended job { ${jobFields} } } }`),
  v.object({ inheritance: inheritanceShape }),
);

export const inheritChecklists = operation(
  graphql(`mutation inheritChecklists { inheritChecklists { job { ${jobFields} } ${answerFields} } }`),
  v.object({ inheritChecklists: v.object({ job: v.nullable(jobShape), ...answerShape }) }),
);
