import type { RegistryStatus } from '../../../domain/statuses.ts';
import type { ChecklistProperty } from '../../../domain/storage.ts';
import { progressOf } from '../../../text/progress.ts';
import { readText, registryBy } from '../../text-workers/reading.ts';
import { textTask } from '../../text-workers/task.ts';
import { type ChecklistIndex, indexOf, verdictOf } from './consequences.ts';
import { excessSize, propertyOf } from './property.ts';
import type { Version } from './state.ts';

interface DerivedFrom {
  version: Omit<Version, 'hash'>;
  statuses: readonly RegistryStatus[];
}

/** The data stored beside a text, in the database and in the tracker. */
export interface Derived {
  index: ChecklistIndex;
  verdict: string;
  property: ChecklistProperty;
  /** See `excessSize`. */
  excess: number | undefined;
}

function derive({ version, statuses: entries }: DerivedFrom): Derived {
  const statuses = registryBy(entries);
  const checklist = readText(version.text, statuses);
  return {
    index: indexOf(checklist.rows, version.rows, statuses),
    verdict: verdictOf(checklist),
    property: propertyOf(version, statuses),
    excess: excessSize(version, statuses),
  };
}

/** Computes the data that is stored beside a text. */
export const derivation = textTask({
  name: 'derive',
  run: derive,
  charactersOf: ({ version }: DerivedFrom) => version.text.length,
});

interface ReadWith {
  text: string;
  statuses: readonly RegistryStatus[];
}

/** Counts the progress of checklists. */
export const progressTask = textTask({
  name: 'progress',
  run: (texts: readonly ReadWith[]) =>
    texts.map(({ text, statuses }) => progressOf(readText(text, registryBy(statuses)).rows)),
  charactersOf: texts => texts.reduce((sum, { text }) => sum + text.length, 0),
});
