import { StateEffect, type Transaction } from '@codemirror/state';

const renamed = StateEffect.define<ReadonlyMap<string, string>>();

/** Says which rows have another id from now on, by the id of before: a row that was known in this page only has its lasting one. */
export const rowIdsRenamed = (ids: ReadonlyMap<string, string>): StateEffect<unknown> => renamed.of(ids);

/** The ids that a transaction renames; `undefined` where there is none. */
export const renamedIds = ({ effects }: Transaction): ReadonlyMap<string, string> | undefined =>
  effects.find(effect => effect.is(renamed))?.value;
