import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { type Conflict, merging } from '../../../text/merge.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { carryingRows, readerBy, readingText } from '../../common/reading.ts';
import type { TrackerIssue } from '../../platform/tracker/issue.ts';
import type { FieldText } from '../revisions.ts';
import type { ChecklistSource } from '../types.ts';
import { fieldOf, sameField } from './field.ts';
import { nearestBase } from './nearest-base.ts';
import { propertyOf, tooLarge } from './property.ts';
import { firstStored, inheritedText, nowhere, storedProperty } from './stored.ts';

/** A checklist with its rows' persistent ids. */
interface IdentifiedText {
  name: string;
  text: string;
  rows: readonly string[];
}

/** The value of one of the tracker's copies: a revision of an issue that the database does not know. */
interface FirstStep extends IdentifiedText {
  kind: 'foreignProperty' | 'foreignField' | 'inherited';
  conflicts: Conflict<string>[];
}

/** The tracker's copies of an issue that the database does not know. */
export interface First {
  source: ChecklistSource;
  /** Oldest first; the last one is the checklist. */
  steps: readonly FirstStep[];
  /** The field that mirrors the checklist, where its value was included. */
  field: FieldText | undefined;
  /** The user's message where the field's value was left out. */
  notice: string | undefined;
}

/** The issue as read, its project's statuses, and the field that mirrors its checklist. */
interface Found {
  issue: TrackerIssue;
  statuses: StatusRegistry;
  fieldId: string | undefined;
}

/**
 * The first revisions of an issue. The checklist of the previous edition is the oldest, so that changes here apply to it.
 * The app's property wins over the field; a different value of the field stays in the history. In parts: texts may be large.
 */
export function* firstSteps({ issue, statuses, fieldId }: Found): Sliced<First> {
  const { source, epoch, seq, name, text } = firstStored(issue, fieldId);
  const inherited = inheritedText(issue);
  const field = fieldOf(issue, fieldId);
  const steps: FirstStep[] = [];
  const current = (): IdentifiedText => steps.at(-1) ?? { ...nowhere, text: '', rows: [] };
  function* step(kind: FirstStep['kind'], to: Pick<IdentifiedText, 'name' | 'text'>): Sliced<void> {
    if (to.text === current().text && to.name === current().name) return;
    steps.push({ kind, ...to, rows: yield* carryingRows(current(), to.text, statuses), conflicts: [] });
  }
  const other = field?.text.trim() && !sameField(field.text, text) ? field.text : undefined;
  if (inherited) yield* step('inherited', inherited);
  if ('text' in storedProperty(issue)) {
    if (other !== undefined) yield* step('foreignField', { name: nowhere.name, text: other });
    yield* step('foreignProperty', { name, text });
  } else if (inherited && other !== undefined) {
    const base = yield* nearestBase(other, '', [text]);
    for (const each of [base, other, current().text]) yield* readingText(each, statuses);
    const { read } = readerBy(statuses);
    const merged = yield* merging(base, other, current().text, statuses, {}, read);
    const rows = yield* carryingRows(current(), merged.text, statuses);
    const both = { epoch, seq, name, ...merged, rows };
    if (tooLarge(both, statuses)) {
      const notice = storage.fieldNotTaken(encodedSize(propertyOf(both, statuses)), PROPERTY_CAPACITY);
      return { source, steps, field: undefined, notice };
    }
    if (merged.text !== current().text) steps.push({ kind: 'foreignField', name, ...merged, rows });
  } else if (source === 'FIELD') yield* step('foreignField', { name, text });
  return { source, steps, field, notice: undefined };
}
