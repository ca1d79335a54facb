import * as v from 'valibot';

/** The payload of every administration mutation, and its selection in a document. */
export const answerFields = 'errors { code field message }' as const;
export const answerShape = {
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
};
