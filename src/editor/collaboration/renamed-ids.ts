import { StateEffect, type Transaction } from '@codemirror/state';

const renamed = StateEffect.define<ReadonlyMap<string, string>>();

/** Renames rows: new ids by the old ones. A row that was known in this page only gets its lasting id. */
export const rowIdsRenamed = (ids: ReadonlyMap<string, string>): StateEffect<unknown> => renamed.of(ids);

/** The ids that a transaction renames; `undefined` where there is none. */
export const renamedIds = ({ effects }: Transaction): ReadonlyMap<string, string> | undefined =>
  effects.find(effect => effect.is(renamed))?.value;
