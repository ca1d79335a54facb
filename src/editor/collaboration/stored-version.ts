import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import type { Identified } from '../../text/identity.ts';
import { renamedIds } from './renamed-ids.ts';

/** A version of the text, with the lasting ids of its rows if they are known. */
export interface TextVersion {
  text: string;
  rows?: readonly string[] | undefined;
}

const received = StateEffect.define<Identified>();

/** How many versions are remembered: what is typed is an edit of the last one, unless a row was deleted since. */
const MAX_VERSIONS = 20;

/**
 * The versions of others that were merged, the newest first, with the ids that their rows have here. A version need not say
 * its rows' lasting ids: the tracker's copy does not.
 */
const field = StateField.define<readonly Identified[]>({
  create: () => [],
  update: (before, transaction) => {
    const ids = renamedIds(transaction);
    const known = ids ? before.map(({ text, rows }) => ({ text, rows: rows.map(id => ids.get(id) ?? id) })) : before;
    const version = transaction.effects.find(effect => effect.is(received))?.value;
    return version ? [version, ...known.slice(0, MAX_VERSIONS - 1)] : known;
  },
});

/** Begins with versions, the newest first. */
export const storedVersion = (versions: readonly Identified[] = []): Extension => field.init(() => versions);

/** Says that a version was merged. */
export const versionReceived = (version: Identified): StateEffect<unknown> => received.of(version);

/** The versions that were merged, the newest first. */
export const storedVersions = (state: EditorState): readonly Identified[] => state.field(field, false) ?? [];

/** Whether a version is the one that was merged last, with these ids. */
export function isLastVersion(state: EditorState, { text, rows }: Identified): boolean {
  const [last] = storedVersions(state);
  return last?.text === text && last.rows.length === rows.length && rows.every((id, index) => id === last.rows[index]);
}

/** The ids of a version's rows: its own, else those that they were given here if it is the one that was merged last. */
export function idsOfVersion(state: EditorState, { text, rows }: TextVersion): readonly string[] | undefined {
  const [known] = storedVersions(state);
  if (known?.text !== text) return rows;
  return rows ? rows.map((id, index) => id || (known.rows[index] ?? '')) : known.rows;
}
