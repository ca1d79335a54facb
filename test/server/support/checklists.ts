import { randomUUID } from 'node:crypto';
import type { ChecklistChange, ChecklistEdit } from '../../../src/domain/change.ts';
import { addonPermissions, permissionKey } from '../../../src/domain/permissions.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import type {
  ChangeBase,
  ChangeOutcome,
  ChecklistReading,
  Checklists,
  ChecklistView,
} from '../../../src/server/checklists/service/types.ts';
import type { TestApp } from './app.ts';
import { OWN_FIELD, writeFields } from './tracker.ts';

/** An issue, and the calls on it as one account. */
export interface IssueWork {
  id: string;
  checklists: Checklists;
  /** Writes the property as another app does, and handles its event. */
  store(value: unknown, by?: string): Promise<void>;
  /** The value of the property once the copies are written, and its text, also where another app wrote it as such. */
  stored(): Promise<unknown>;
  text(): Promise<string>;
  /** Writes the text field as an account, and handles its event. */
  writeField(text: string, by?: string): Promise<void>;
  read(): Promise<ChecklistReading>;
  /** Changes the checklist on a base, without its text. */
  change(edit: ChecklistChange, base: ChangeBase | ChecklistView, clientId?: string): Promise<ChangeOutcome>;
  /** Changes the checklist on the stored text. */
  edit(edit: ChecklistEdit): Promise<ChangeOutcome>;
}

let last = 10_000;

export const EDITOR = ['BROWSE_PROJECTS', 'EDIT_ISSUES'];
export const own = (name: keyof typeof addonPermissions) => permissionKey(addonPermissions[name]);

export async function newIssue(
  it: TestApp,
  granted: string[] = EDITOR,
  account: string = randomUUID(),
): Promise<IssueWork> {
  last += 1;
  const id = String(last);
  it.tracker.issues.set(id, { properties: {}, fields: { summary: 'An issue', ...noFields } });
  it.tracker.granted.set(account, granted);
  return workOn(it, id, account);
}

const positionOf = ({ epoch, seq, hash }: ChecklistView): ChangeBase => ({ epoch, seq, hash });

const noFields = { customfield_10100: null, customfield_10050: null };

/** The same issue for another account. */
export async function workOn(it: TestApp, id: string, account: string): Promise<IssueWork> {
  const tenant = await it.tenants.find(it.tenant.id);
  if (!tenant) throw new Error('Not installed.');
  const checklists = it.checklists.of({ tenant, account });
  const issue = it.tracker.issues.get(id);
  if (!issue) throw new Error('No issue.');
  const change: IssueWork['change'] = (edit, base, clientId = randomUUID()) =>
    checklists.change({ issueId: id, clientId, base: 'source' in base ? positionOf(base) : base, edit });
  return {
    id,
    checklists,
    change,
    read: () => checklists.read(id),
    edit: async edit => change(edit, await checklists.read(id)),
    async store(value, by = 'another-app') {
      issue.properties[PROPERTY] = value;
      await it.sync.noticed({ tenant, account: by }, id, { kind: 'property', mayHide: false, isOfChecklist: true });
      await it.settled();
    },
    async stored() {
      await it.settled();
      return issue.properties[PROPERTY];
    },
    async text() {
      await it.settled();
      const value = issue.properties[PROPERTY];
      if (typeof value === 'string') return value;
      return typeof value === 'object' && value && 'text' in value ? String(value.text) : '';
    },
    async writeField(text, by = 'another-person') {
      writeFields(issue, { [OWN_FIELD]: text }, by);
      const changes = [{ id: OWN_FIELD, name: 'Checklist Text', to: text }];
      await it.sync.noticed({ tenant, account: by }, id, { kind: 'updated', mayHide: false, changes });
      await it.settled();
    },
  };
}

const PROPERTY = storageKey('checklist');

export const update = (text: string, name?: string): ChecklistEdit => ({
  kind: 'updateChecklistFromText',
  text,
  ...(name !== undefined && { name }),
});
export const add = (text: string, index?: number): ChecklistEdit => ({
  kind: 'addChecklistItemsFromText',
  text,
  ...(index !== undefined && { index }),
});
export const tick = (index: number, text: string, status = 'done'): ChecklistEdit => ({
  kind: 'setItemStatus',
  target: { index, text },
  status,
});
export const remove = (index: number, text: string): ChecklistEdit => ({
  kind: 'deleteChecklistItem',
  target: { index, text },
});
