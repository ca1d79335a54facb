import * as v from 'valibot';
import type { HostBridge } from '../../bridge/bridge.ts';
import { readAs } from '../../domain/shape.ts';
import { FIELD_NAME, isChecklistField, parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { call } from './call.ts';

const issuePath = (issueKey: string) => `/rest/api/2/issue/${encodeURIComponent(issueKey)}`;

const issueShape = v.object({
  id: v.optional(v.string()),
  key: v.optional(v.string()),
  fields: v.optional(v.record(v.string(), v.unknown())),
});
export type Issue = v.InferOutput<typeof issueShape>;

/** An issue with these fields, or all. Invalid values are left out. */
export async function getIssue(
  bridge: HostBridge,
  issueKey: string,
  fields?: readonly string[],
  signal?: AbortSignal,
): Promise<Issue> {
  const query = fields ? { fields: fields.join(',') } : {};
  const answer = await call(bridge, issuePath(issueKey), { query, ...(signal && { signal }) });
  return readAs(issueShape, answer) ?? {};
}

/** A checklist as the tracker holds it. A foreign text has epoch '' and seq 0. */
export interface StoredText {
  source: 'property' | 'field';
  epoch: string;
  seq: number;
  name?: string;
  text: string;
  /** The lasting ids of the text's rows, as far as known. */
  rows?: readonly string[] | undefined;
  /** The field's text, whatever the source. */
  field: string | undefined;
}

const checklistIssueShape = v.object({
  properties: v.optional(v.record(v.string(), v.unknown())),
  names: v.optional(v.record(v.string(), v.string())),
  fields: v.optional(v.record(v.string(), v.unknown())),
});

/** The text of the first field with a checklist's name; the exact name precedes names from migrations. */
function fieldText(names: Record<string, string>, fields: Record<string, unknown>): string | undefined {
  const ids = Object.keys(names).filter(id => isChecklistField(names[id] ?? ''));
  const ordered = [...ids.filter(id => names[id] === FIELD_NAME), ...ids.filter(id => names[id] !== FIELD_NAME)];
  for (const id of ordered) {
    const value = fields[id];
    if (typeof value === 'string' && value.trim()) return value;
  }
  return undefined;
}

/**
 * The tracker's copy of an issue's checklist: the property, else the Checklist Text field, found by
 * its name; `undefined` when there is neither.
 */
export async function getStoredText(bridge: HostBridge, issueKey: string): Promise<StoredText | undefined> {
  const property = storageKey('checklist');
  const answer = await call(bridge, issuePath(issueKey), {
    query: { properties: property, expand: 'names' },
  });
  const { properties = {}, names = {}, fields = {} } = readAs(checklistIssueShape, answer) ?? {};
  const stored = parseChecklistProperty(properties[property]);
  const field = fieldText(names, fields);
  switch (stored.kind) {
    case 'ours': {
      const { epoch, seq, name, text, rows } = stored;
      // A seq that our server cannot have written is a foreign value.
      const isServerSeq = Number.isInteger(seq) && seq >= 0 && seq < 2 ** 31 - 1;
      return { source: 'property', ...(isServerSeq ? { epoch, seq } : { epoch: '', seq: 0 }), name, text, rows, field };
    }
    case 'text':
      return { source: 'property', epoch: '', seq: 0, text: stored.text, field };
    case 'foreign':
    case 'absent':
      return field === undefined ? undefined : { source: 'field', epoch: '', seq: 0, text: field, field };
  }
}
