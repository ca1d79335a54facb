import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields } from './selections.ts';

export const jobFields = 'id state total seen done failed ended log { issue message }' as const;

/** Progress of taking over the predecessor edition's data; `null` if there is none. */
export const getInheritance = operation(graphql(`query getInheritance { inheritance { ended job { ${jobFields} } } }`));

export type Inheritance = ResultOf<typeof getInheritance>['inheritance'];
/** A job over the site. */
export type InheritJob = NonNullable<NonNullable<Inheritance>['job']>;

/** Whether a job has not ended. */
export const isRunning = ({ state }: InheritJob): boolean => state === 'QUEUED' || state === 'RUNNING';

export const inheritChecklists = operation(
  graphql(`mutation inheritChecklists { inheritChecklists { job { ${jobFields} } ${answerFields} } }`),
);
