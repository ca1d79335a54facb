import * as v from 'valibot';

/** What every mutation of the administration answers beside its own fields, and the part of a document that asks for it. */
export const answerFields = 'errors { code field message }' as const;
export const answerShape = {
  errors: v.array(v.object({ code: v.string(), field: v.nullable(v.string()), message: v.string() })),
};
