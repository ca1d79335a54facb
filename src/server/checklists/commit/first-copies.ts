import { randomUUID } from 'node:crypto';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { finish } from '../../../text/sliced.ts';
import { hashText } from '../../common/hash.ts';
import type { TrackerIssue } from '../../platform/tracker/issue.ts';
import { fieldOf, sameField } from '../copies/field.ts';
import { firstStored, inheritedText, storedProperty, storedSeq } from '../copies/stored.ts';
import type { ReadText } from '../decide/edit.ts';
import { nearestBase } from '../decide/nearest-base.ts';
import { nowhere, unknownState } from '../decide/state.ts';
import type { Decision, Proposal } from '../decide/types.ts';
import type { FieldText } from '../revisions.ts';
import { type ChecklistSource, NOW } from '../types.ts';
import { runDecision } from './run-decision.ts';

/** The author of a foreign change where the tracker does not name one. */
export const UNKNOWN_AUTHOR = 'tracker';

type CopyProposal = Proposal & { edit: ReadText };

/** The tracker's copies of an issue that the database does not know. */
interface FirstCopies {
  source: ChecklistSource;
  /** The values of the copies as changes of an empty checklist, oldest first. */
  proposals: CopyProposal[];
  /** The field that mirrors the checklist. */
  field: FieldText | undefined;
}

/**
 * Reads the first copies of an issue's checklist. The checklist of the previous edition is the oldest, so that changes here
 * apply to it. The app's property wins over the field; a different value of the field stays in the history.
 */
function readFirstCopies(issue: TrackerIssue, fieldId: string | undefined): FirstCopies {
  const { source, name, text } = firstStored(issue, fieldId);
  const inherited = inheritedText(issue);
  const field = fieldOf(issue, fieldId);
  const proposals: CopyProposal[] = [];
  let current = { name: nowhere.name, text: '' };
  const propose = (edit: ReadText, rest: Partial<Omit<Proposal, 'edit'>>) =>
    proposals.push({
      ...{ account: UNKNOWN_AUTHOR, clientId: `foreign ${randomUUID()}`, base: NOW, edit },
      ...{ maxItems: Number.POSITIVE_INFINITY, ...rest },
    });
  const replace = (kind: ReadText['kind'], next: typeof current) => {
    if (next.text === current.text && next.name === current.name) return;
    propose({ kind, ...next }, { isFirstCopy: true });
    current = next;
  };
  const other = field?.text.trim() && !sameField(field.text, text) ? field.text : undefined;
  if (inherited) replace('inherited', inherited);
  if ('text' in storedProperty(issue)) {
    if (other !== undefined) replace('foreignField', { name: nowhere.name, text: other });
    replace('foreignProperty', { name, text });
  } else if (inherited && other !== undefined) {
    const base = finish(nearestBase(other, '', [text]));
    propose({ kind: 'foreignField', text: other }, { base: { epoch: '', seq: 0, hash: hashText(base), text: base } });
  } else if (source === 'FIELD') replace('foreignField', { name, text });
  return { source, proposals, field };
}

/** What is stored of an issue that the database does not know. */
export interface FirstRevisions extends Pick<FirstCopies, 'source' | 'field'>, Pick<Decision, 'revisions' | 'newest'> {
  /** The kind of the newest revision. */
  kind: ReadText['kind'];
  /** The message for users if the field's value was left out, and `field` therefore is undefined. */
  notice: string | undefined;
}

interface UnknownIssue {
  id: string;
  issue: TrackerIssue;
  /** The epoch of the installation. */
  epoch: string;
  statuses: readonly RegistryStatus[];
  fieldId: string | undefined;
}

/** Decides on the first copies of an issue's checklist as changes of an empty one. */
export async function decideFirst({ id, issue, epoch, statuses, fieldId }: UnknownIssue): Promise<FirstRevisions> {
  const { source, proposals, field } = readFirstCopies(issue, fieldId);
  const { outcomes, revisions, newest } = await runDecision({
    ...{ issue: id, epoch, state: unknownState, proposals, statuses, project: issue.project },
    // Continues the numbers that this epoch gave before a backup was restored.
    floor: Math.max(0, storedSeq(issue, epoch) - proposals.length),
  });
  const client = revisions.at(-1)?.client;
  const kind = proposals.find(({ clientId }) => clientId === client)?.edit.kind ?? 'foreignProperty';
  const first = { source, revisions, newest, kind };
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error;
    if ('refusal' in outcome) {
      const size = outcome.refusal.size ?? encodedSize(field?.text ?? '');
      return { ...first, field: undefined, notice: storage.fieldNotTaken(size, PROPERTY_CAPACITY) };
    }
  }
  return { ...first, field, notice: undefined };
}
