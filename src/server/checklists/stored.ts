import { DEFAULT_NAME, FIELD_NAME, isChecklistField, parseChecklistProperty } from '../../domain/storage.ts';
import { cleanText, hashText } from '../../text/document.ts';
import type { TrackerIssue } from '../tracker/issue.ts';
import type { Version } from './revisions.ts';
import type { ChecklistSource, ChecklistView } from './types.ts';

interface Found extends Omit<Version, 'hash'> {
  source: ChecklistSource;
}

/** What is not ours has no place in our history. */
const foreign = { epoch: '', seq: 0, name: DEFAULT_NAME };

/** Whoever may edit the issue can write any number there: what follows ours must still fit the database. */
const MAX_SEQ = 1_000_000_000;
const isSeq = (seq: number) => Number.isInteger(seq) && seq >= 0 && seq <= MAX_SEQ;

/** Our own field first, then the one of the usual name, then those that migrations named. */
function fieldText({ fields }: TrackerIssue, ownField: string | undefined): string | undefined {
  const rank = ({ id, name }: { id: string; name: string }) => (id === ownField ? 0 : name === FIELD_NAME ? 1 : 2);
  return fields
    .filter(({ id, name }) => id === ownField || isChecklistField(name))
    .sort((a, b) => rank(a) - rank(b))
    .map(({ value }) => value)
    .filter(value => typeof value === 'string')
    .find(value => value.trim());
}

function find(issue: TrackerIssue, ownField: string | undefined, last: Version | undefined): Found {
  const property = parseChecklistProperty(issue.property);
  if (property.kind === 'ours') {
    const { epoch, seq, name, text } = property;
    return { ...foreign, ...(isSeq(seq) && { epoch, seq }), name, text, source: 'PROPERTY' };
  }
  if (property.kind === 'text') return { ...foreign, text: property.text, source: 'PROPERTY' };
  const text = fieldText(issue, ownField);
  if (text !== undefined) return { ...foreign, text, source: 'FIELD' };
  return last ? { ...last, source: 'REVISION' } : { ...foreign, text: '', source: 'NONE' };
}

/** The issue's checklist: its property, else a field, else what we wrote last, else nothing (spec §3). */
export async function storedChecklist(
  issueId: string,
  issue: TrackerIssue,
  ownField: string | undefined,
  last: Version | undefined,
): Promise<ChecklistView> {
  const found = find(issue, ownField, last);
  const { text } = cleanText(found.text);
  return { ...found, issueId, hash: await hashText(text), name: cleanText(found.name).text, text };
}
